/** The part of simple-oauth2 that the tests use; the package has no types of its own. */
declare module 'simple-oauth2' {
  export interface Token {
    access_token: string;
    token_type: string;
    expires_in: number;
    expires_at: Date;
    refresh_token: string;
    scope: string;
    created_at: number;
  }

  export interface AccessToken {
    readonly token: Token;
    expired(expirationWindowSeconds?: number): boolean;
    refresh(parameters?: { scope?: string }): Promise<AccessToken>;
    revoke(type: 'access_token' | 'refresh_token'): Promise<unknown>;
  }

  export class ClientCredentials {
    constructor(options: {
      client: { id: string; secret: string };
      auth: { tokenHost: string; tokenPath: string; revokePath: string };
      options: { bodyFormat: 'form' | 'json'; authorizationMethod: 'body' };
    });
    getToken(parameters: { scope?: string }): Promise<AccessToken>;
  }
}
