/** One request to each endpoint of an address (4.2 to 4.6), for checks of which tokens are accepted there. */
import type { OAuthContext } from './suite.ts';

/**
 * Returns the requests, in an order in which each still finds the address; `path` is relative to the address.
 */
export function addressRequests({ target }: OAuthContext, alias_name: string) {
  const carriers = (target.shipping?.carriers as string[] | undefined) ?? ['fedex'];
  const update = { json: { address_template: { alias_name } } };
  return [
    { method: 'GET', path: '', what: 'read' },
    { method: 'PATCH', path: '', what: 'update', body: update },
    { method: 'POST', path: '/verify_by_carriers', what: 'verify', body: { json: { carriers } } },
    { method: 'DELETE', path: '', what: 'delete' },
  ];
}
