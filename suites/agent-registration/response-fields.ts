/** 2 Registration response: the requirements of its fields, one for each. */
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
