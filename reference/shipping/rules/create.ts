/** Makes the stored address from a valid create body (section 4.3). */
import { randomUUID } from '../../kit/random.ts';
import type { Address, AddressBook, AddressTemplate, Env, Fields, TemplateValues } from '../model.ts';
import { isObject } from './template-body.ts';

const templateDefaults: TemplateValues = { alias_name: '', address_type: '', default: false };

/** Null where section 2 (Address) allows null in responses, else the empty string. */
const addressDefaults: Address = {
  name: '',
  company: null,
  street1: '',
  street_number: null,
  apartment_number: null,
  postal_code: '',
  area_level1: '',
  area_level2: '',
  area_level3: null,
  country_code: '',
  phone: '',
  email: '',
  reference: null,
  rfc: null,
  tax_id_number: null,
  tax_id_type: null,
};

export const createRules = {
  /** Values of the template properties that a create body leaves out. */
  templateDefaults,

  /** Values of the address properties that a create body leaves out. */
  addressDefaults,

  newAddressId(_env: Env): string {
    return randomUUID();
  },

  /** alias_name, address_type and default as they will be stored. */
  buildTemplateValues(template: Fields, env: Env): TemplateValues {
    const { alias_name, address_type, default: isDefault } = template;
    const defaults = env.rules.templateDefaults;
    return {
      alias_name: (alias_name as string | undefined) ?? defaults.alias_name,
      address_type: (address_type as string | undefined) ?? defaults.address_type,
      default: isDefault === undefined ? defaults.default : (isDefault as boolean | null),
    };
  },

  /** The address as it will be stored. */
  buildAddress(attributes: Fields, env: Env): Address {
    const { rules } = env;
    const address = { ...rules.addressDefaults };
    for (const field of rules.writableAddressFields) {
      if (attributes[field] !== undefined) address[field] = attributes[field] as string | null;
    }
    return address;
  },

  /** The whole address template from the request body, with an id of its own and not yet verified. */
  buildTemplate(body: Fields, env: Env): AddressTemplate {
    const { rules } = env;
    const template = isObject(body.address_template) ? body.address_template : {};
    const attributes = isObject(template.address_attributes) ? template.address_attributes : {};
    return {
      id: rules.newAddressId(env),
      ...rules.buildTemplateValues(template, env),
      address: rules.buildAddress(attributes, env),
      verifications: rules.initialVerifications(env),
    };
  },

  /** Puts a new address into the book. */
  addTemplate(book: AddressBook, template: AddressTemplate, _env: Env): void {
    book.set(template.id, template);
  },

  /** Called after an address was created or updated. All other addresses stay as they are (silence). */
  afterSave(_book: AddressBook, _saved: AddressTemplate, _env: Env): void {},
};
