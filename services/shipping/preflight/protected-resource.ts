/** Tries `shipping.protectedResource`: a token has to open it, and nobody without one. */
import {
  ask,
  EITHER,
  isAnswer,
  type PreflightFinding,
  refused,
  said,
} from '../../../lib/check/preflight/finding.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { ShippingConfig } from '../configuration.ts';

/** Returns a finding where the target has a protected resource of its own. `token` was just issued. */
export async function triedResource(
  session: Session,
  { baseUrl, protectedResource, headers }: ShippingConfig,
  token: string,
): Promise<PreflightFinding[]> {
  if (!protectedResource) return [];
  const { method = 'GET', path } = protectedResource;
  const keys = ['shipping.protectedResource'];
  const called = `\`shipping.protectedResource\` ${method} ${path}`;
  const send = (further: Record<string, string>) =>
    ask(() =>
      session.http.send({
        method,
        url: `${baseUrl}${path}`,
        purpose: 'try the protected resource',
        headers: { ...(headers as Record<string, string> | undefined), ...further },
      }),
    );
  const open = await send({ authorization: `Bearer ${token}` });
  if (!isAnswer(open)) return [{ outcome: 'doubtful', keys, message: `${called}: ${open.why}` }];
  if (open.status >= 300 && open.status < 500)
    return [
      refused(keys, `${called} is answered with ${said(open)} to a token that was just issued; ${EITHER}`),
    ];
  const without = await send({});
  if (isAnswer(without) && without.ok)
    return [refused(keys, `${called} is answered with ${said(without)} without a token, too; ${EITHER}`)];
  return [{ outcome: 'ok', keys, message: `${called}: ${said(open)} with a token` }];
}
