/** 4 Assertion requirements: email addresses that a pattern of a service's own making may refuse. */
import { check } from './suite.ts';

/** They are allowed by RFC 5321 4.5.3.1 and RFC 5322 3.2.3. */
const EMAILS: Record<string, (id: string) => string> = {
  short: (id) => `x@${id}.xn--bcher-kva.example`,
  long: (id) => `${`${id}#and/or=`.padEnd(64, 'longer')}@department.of-an-organisation.example.com`,
};

for (const [name, emailOf] of Object.entries(EMAILS)) {
  check('AGENT-REG-STATUS', { case: `email-${name}`, effects: 'write' }, async (context) => {
    const { registrations, expect, skip, target } = context;
    const { users } = registrations;
    if (users.fixed) skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
    await registrations.twin();
    const user = users.next();
    const email = emailOf(user.sub.replace('conformance-', ''));
    const making = { user: { ...user, email }, budget: 'sweep' } as const;
    const { answer } = await registrations.register(`register a user whose email is ${name}`, making);
    expect.accepted(answer, `${email} is an email address`);
  });
}
