/** What a path names (section 4, path parameters). */
import type { Enterprise, Env, Organization, PathParameters, Repository, Scope } from '../model.ts';
import { endpoints, type Operation } from '../operations.ts';

export const nameRules = {
  /** Whether the requested name is this slug. Case is significant (silence). */
  sameEnterprise(asked: string, slug: string, _operation: Operation): boolean {
    return asked === slug;
  },

  sameOrganization(asked: string, name: string, _operation: Operation): boolean {
    return asked.toLowerCase() === name.toLowerCase();
  },

  sameOwner(asked: string, owner: string, _operation: Operation): boolean {
    return asked.toLowerCase() === owner.toLowerCase();
  },

  sameRepository(asked: string, name: string, _operation: Operation): boolean {
    return asked.toLowerCase() === name.toLowerCase();
  },

  findEnterprise(
    { enterprise = '' }: PathParameters,
    operation: Operation,
    env: Env,
  ): Enterprise | undefined {
    const { rules, state } = env;
    return state.enterprises.find(({ slug }) => rules.sameEnterprise(enterprise, slug, operation));
  },

  findOrganization({ org = '' }: PathParameters, operation: Operation, env: Env): Organization | undefined {
    const { rules, state } = env;
    return state.organizations.find(({ name }) => rules.sameOrganization(org, name, operation));
  },

  findRepository(
    { owner = '', repo = '' }: PathParameters,
    operation: Operation,
    env: Env,
  ): Repository | undefined {
    const { rules, state } = env;
    return state.repositories.find(
      (repository) =>
        rules.sameOwner(owner, repository.owner, operation) &&
        rules.sameRepository(repo, repository.name, operation),
    );
  },

  /** The enterprise, organization or repository that the path of an operation names. */
  locate(parameters: PathParameters, operation: Operation, env: Env): Scope | undefined {
    const { rules } = env;
    switch (endpoints[operation].level) {
      case 'enterprise':
        return rules.findEnterprise(parameters, operation, env);
      case 'organization':
        return rules.findOrganization(parameters, operation, env);
      case 'repository':
        return rules.findRepository(parameters, operation, env);
    }
  },
};
