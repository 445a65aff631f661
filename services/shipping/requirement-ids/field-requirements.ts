/**
 * The ids of the requirements about each field, by subject. They are written out rather than composed, so
 * that a search for an id leads here.
 */
import type { AttributeField, TemplateField } from '../fixtures/address-data.ts';

/** Ids of the requirements about one field. */
export interface FieldRequirements {
  /** Its presence and type in answers. */
  type: string;
  /** A create that sends it stores it. */
  createKeeps: string;
  /** A create without it: refused, or, where the table calls the field optional, accepted. */
  createWithout: string;
  updateSets: string;
  updateKeepsOmitted: string;
  updateOptional: string;
}

export const FIELD_REQUIREMENTS: Readonly<Record<TemplateField | AttributeField, FieldRequirements>> = {
  alias_name: {
    type: 'ADDR-TEMPLATE-ALIAS-NAME',
    createKeeps: 'ADDR-CREATE-KEEPS-ALIAS-NAME',
    createWithout: 'ADDR-CREATE-REQUIRES-ALIAS-NAME',
    updateSets: 'ADDR-UPDATE-SETS-ALIAS-NAME',
    updateKeepsOmitted: 'ADDR-UPDATE-OMITTED-KEPT-ALIAS-NAME',
    updateOptional: 'ADDR-UPDATE-OPTIONAL-ALIAS-NAME',
  },
  address_type: {
    type: 'ADDR-TEMPLATE-ADDRESS-TYPE',
    createKeeps: 'ADDR-CREATE-KEEPS-ADDRESS-TYPE',
    createWithout: 'ADDR-CREATE-REQUIRES-ADDRESS-TYPE',
    updateSets: 'ADDR-UPDATE-SETS-ADDRESS-TYPE',
    updateKeepsOmitted: 'ADDR-UPDATE-OMITTED-KEPT-ADDRESS-TYPE',
    updateOptional: 'ADDR-UPDATE-OPTIONAL-ADDRESS-TYPE',
  },
  default: {
    type: 'ADDR-TEMPLATE-DEFAULT',
    createKeeps: 'ADDR-CREATE-KEEPS-DEFAULT',
    createWithout: 'ADDR-CREATE-OPTIONAL-DEFAULT',
    updateSets: 'ADDR-UPDATE-SETS-DEFAULT',
    updateKeepsOmitted: 'ADDR-UPDATE-OMITTED-KEPT-DEFAULT',
    updateOptional: 'ADDR-UPDATE-OPTIONAL-DEFAULT',
  },
  name: {
    type: 'ADDR-ADDRESS-NAME',
    createKeeps: 'ADDR-CREATE-KEEPS-NAME',
    createWithout: 'ADDR-CREATE-REQUIRES-NAME',
    updateSets: 'ADDR-UPDATE-SETS-NAME',
    updateKeepsOmitted: 'ADDR-UPDATE-OMITTED-KEPT-NAME',
    updateOptional: 'ADDR-UPDATE-OPTIONAL-NAME',
  },
  company: {
    type: 'ADDR-ADDRESS-COMPANY',
    createKeeps: 'ADDR-CREATE-KEEPS-COMPANY',
    createWithout: 'ADDR-CREATE-OPTIONAL-COMPANY',
    updateSets: 'ADDR-UPDATE-SETS-COMPANY',
    updateKeepsOmitted: 'ADDR-UPDATE-OMITTED-KEPT-COMPANY',
    updateOptional: 'ADDR-UPDATE-OPTIONAL-COMPANY',
  },
  street1: {
    type: 'ADDR-ADDRESS-STREET1',
    createKeeps: 'ADDR-CREATE-KEEPS-STREET1',
    createWithout: 'ADDR-CREATE-REQUIRES-STREET1',
    updateSets: 'ADDR-UPDATE-SETS-STREET1',
    updateKeepsOmitted: 'ADDR-UPDATE-OMITTED-KEPT-STREET1',
    updateOptional: 'ADDR-UPDATE-OPTIONAL-STREET1',
  },
  street_number: {
    type: 'ADDR-ADDRESS-STREET-NUMBER',
    createKeeps: 'ADDR-CREATE-KEEPS-STREET-NUMBER',
    createWithout: 'ADDR-CREATE-OPTIONAL-STREET-NUMBER',
    updateSets: 'ADDR-UPDATE-SETS-STREET-NUMBER',
    updateKeepsOmitted: 'ADDR-UPDATE-OMITTED-KEPT-STREET-NUMBER',
    updateOptional: 'ADDR-UPDATE-OPTIONAL-STREET-NUMBER',
  },
  apartment_number: {
    type: 'ADDR-ADDRESS-APARTMENT-NUMBER',
    createKeeps: 'ADDR-CREATE-KEEPS-APARTMENT-NUMBER',
    createWithout: 'ADDR-CREATE-OPTIONAL-APARTMENT-NUMBER',
    updateSets: 'ADDR-UPDATE-SETS-APARTMENT-NUMBER',
    updateKeepsOmitted: 'ADDR-UPDATE-OMITTED-KEPT-APARTMENT-NUMBER',
    updateOptional: 'ADDR-UPDATE-OPTIONAL-APARTMENT-NUMBER',
  },
  postal_code: {
    type: 'ADDR-ADDRESS-POSTAL-CODE',
    createKeeps: 'ADDR-CREATE-KEEPS-POSTAL-CODE',
    createWithout: 'ADDR-CREATE-REQUIRES-POSTAL-CODE',
    updateSets: 'ADDR-UPDATE-SETS-POSTAL-CODE',
    updateKeepsOmitted: 'ADDR-UPDATE-OMITTED-KEPT-POSTAL-CODE',
    updateOptional: 'ADDR-UPDATE-OPTIONAL-POSTAL-CODE',
  },
  area_level1: {
    type: 'ADDR-ADDRESS-AREA-LEVEL1',
    createKeeps: 'ADDR-CREATE-KEEPS-AREA-LEVEL1',
    createWithout: 'ADDR-CREATE-REQUIRES-AREA-LEVEL1',
    updateSets: 'ADDR-UPDATE-SETS-AREA-LEVEL1',
    updateKeepsOmitted: 'ADDR-UPDATE-OMITTED-KEPT-AREA-LEVEL1',
    updateOptional: 'ADDR-UPDATE-OPTIONAL-AREA-LEVEL1',
  },
  area_level2: {
    type: 'ADDR-ADDRESS-AREA-LEVEL2',
    createKeeps: 'ADDR-CREATE-KEEPS-AREA-LEVEL2',
    createWithout: 'ADDR-CREATE-REQUIRES-AREA-LEVEL2',
    updateSets: 'ADDR-UPDATE-SETS-AREA-LEVEL2',
    updateKeepsOmitted: 'ADDR-UPDATE-OMITTED-KEPT-AREA-LEVEL2',
    updateOptional: 'ADDR-UPDATE-OPTIONAL-AREA-LEVEL2',
  },
  area_level3: {
    type: 'ADDR-ADDRESS-AREA-LEVEL3',
    createKeeps: 'ADDR-CREATE-KEEPS-AREA-LEVEL3',
    createWithout: 'ADDR-CREATE-OPTIONAL-AREA-LEVEL3',
    updateSets: 'ADDR-UPDATE-SETS-AREA-LEVEL3',
    updateKeepsOmitted: 'ADDR-UPDATE-OMITTED-KEPT-AREA-LEVEL3',
    updateOptional: 'ADDR-UPDATE-OPTIONAL-AREA-LEVEL3',
  },
  country_code: {
    type: 'ADDR-ADDRESS-COUNTRY-CODE',
    createKeeps: 'ADDR-CREATE-KEEPS-COUNTRY-CODE',
    createWithout: 'ADDR-CREATE-REQUIRES-COUNTRY-CODE',
    updateSets: 'ADDR-UPDATE-SETS-COUNTRY-CODE',
    updateKeepsOmitted: 'ADDR-UPDATE-OMITTED-KEPT-COUNTRY-CODE',
    updateOptional: 'ADDR-UPDATE-OPTIONAL-COUNTRY-CODE',
  },
  phone: {
    type: 'ADDR-ADDRESS-PHONE',
    createKeeps: 'ADDR-CREATE-KEEPS-PHONE',
    createWithout: 'ADDR-CREATE-REQUIRES-PHONE',
    updateSets: 'ADDR-UPDATE-SETS-PHONE',
    updateKeepsOmitted: 'ADDR-UPDATE-OMITTED-KEPT-PHONE',
    updateOptional: 'ADDR-UPDATE-OPTIONAL-PHONE',
  },
  email: {
    type: 'ADDR-ADDRESS-EMAIL',
    createKeeps: 'ADDR-CREATE-KEEPS-EMAIL',
    createWithout: 'ADDR-CREATE-REQUIRES-EMAIL',
    updateSets: 'ADDR-UPDATE-SETS-EMAIL',
    updateKeepsOmitted: 'ADDR-UPDATE-OMITTED-KEPT-EMAIL',
    updateOptional: 'ADDR-UPDATE-OPTIONAL-EMAIL',
  },
  reference: {
    type: 'ADDR-ADDRESS-REFERENCE',
    createKeeps: 'ADDR-CREATE-KEEPS-REFERENCE',
    createWithout: 'ADDR-CREATE-REQUIRES-REFERENCE',
    updateSets: 'ADDR-UPDATE-SETS-REFERENCE',
    updateKeepsOmitted: 'ADDR-UPDATE-OMITTED-KEPT-REFERENCE',
    updateOptional: 'ADDR-UPDATE-OPTIONAL-REFERENCE',
  },
  rfc: {
    type: 'ADDR-ADDRESS-RFC',
    createKeeps: 'ADDR-CREATE-KEEPS-RFC',
    createWithout: 'ADDR-CREATE-OPTIONAL-RFC',
    updateSets: 'ADDR-UPDATE-SETS-RFC',
    updateKeepsOmitted: 'ADDR-UPDATE-OMITTED-KEPT-RFC',
    updateOptional: 'ADDR-UPDATE-OPTIONAL-RFC',
  },
};

/** The two address fields that only answers have. */
export const READ_ONLY_REQUIREMENTS: Readonly<Record<string, string>> = {
  tax_id_number: 'ADDR-ADDRESS-TAX-ID-NUMBER',
  tax_id_type: 'ADDR-ADDRESS-TAX-ID-TYPE',
};

/** The requirements about the numbers of the pagination meta, by name. */
export const META_REQUIREMENTS = {
  total_count: 'ADDR-META-TOTAL-COUNT',
  per_page: 'ADDR-META-PER-PAGE',
  current_page: 'ADDR-META-CURRENT-PAGE',
  total_pages: 'ADDR-META-TOTAL-PAGES',
  next_page: 'ADDR-META-NEXT-PAGE',
  prev_page: 'ADDR-META-PREV-PAGE',
} as const;

/** The requirements about the members of a token response, and of an error of the OAuth endpoints. */
export const TOKEN_RESPONSE_REQUIREMENTS = [
  'TOKEN-RESPONSE-ACCESS-TOKEN',
  'TOKEN-RESPONSE-TOKEN-TYPE',
  'TOKEN-RESPONSE-EXPIRES-IN',
  'TOKEN-RESPONSE-SCOPE',
  'TOKEN-RESPONSE-CREATED-AT',
];
export const OAUTH_ERROR_REQUIREMENTS = ['TOKEN-ERROR-ERROR', 'TOKEN-ERROR-DESCRIPTION'];

/** The requirement about the body of a 404 of the address endpoints. */
export const ADDRESS_ERROR_REQUIREMENTS = ['ADDR-ERROR-MESSAGE'];
