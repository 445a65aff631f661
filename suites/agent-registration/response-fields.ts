/** 2 Registration response: the requirements about its fields, one for each field. */
export const FIELDS = [
  'AGENT-REG-USER-ID',
  'AGENT-REG-API-KEY',
  'AGENT-REG-CREDENTIAL',
  'AGENT-REG-REGISTRATION-ID',
  'AGENT-REG-REGISTRATION-TYPE',
  'AGENT-REG-CREDENTIAL-TYPE',
  'AGENT-REG-CREDENTIAL-EXPIRES',
  'AGENT-REG-SCOPES',
];
