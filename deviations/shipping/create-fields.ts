/** Creates, field by field: what is stored of what was sent (4.3). */
import type { ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { alteredDeviations, dropped, keeps, storing } from './create-kit.ts';

export const createFieldDeviations: Deviation<ShippingRules>[] = [
  ...dropped,
  ...alteredDeviations,
  {
    id: 'create-areas-swapped',
    breaks: [keeps('area_level1'), keeps('area_level2')],
    sentence: 'swaps state and municipality',
    rules: storing(({ area_level1, area_level2 }) => ({
      area_level1: area_level2,
      area_level2: area_level1,
    })),
  },
  {
    id: 'create-street-number-joined',
    breaks: [keeps('street1'), keeps('street_number')],
    sentence: 'joins the street number to the street',
    rules: storing(({ street1, street_number }) => ({
      street1: street_number === null ? street1 : `${street1} ${street_number}`,
      street_number: null,
    })),
  },
  {
    id: 'create-rfc-moved',
    breaks: [keeps('rfc')],
    sentence: 'stores rfc under tax_id_number',
    rules: storing(({ rfc }) => ({
      rfc: null,
      tax_id_number: rfc,
      tax_id_type: rfc === null ? null : 'rfc',
    })),
  },
  {
    id: 'create-alias-numbered',
    breaks: [keeps('alias_name')],
    sentence: 'makes labels unique by adding a number',
    rules: (original) => {
      let count = 0;
      return {
        buildTemplateValues: (template, env) => {
          const values = original.buildTemplateValues(template, env);
          count += 1;
          return { ...values, alias_name: `${values.alias_name} (${count})` };
        },
      };
    },
    entails: ['ADDR-CREATE-LISTED'],
  },
  {
    id: 'create-alias-from-name',
    breaks: [keeps('alias_name')],
    entails: ['ADDR-CREATE-LISTED'],
    sentence: 'makes the label from name and street',
    rules: (original) => ({
      buildTemplate: (body, env) => {
        const template = original.buildTemplate(body, env);
        return { ...template, alias_name: `${template.address.name}, ${template.address.street1}` };
      },
    }),
  },
  {
    id: 'create-type-usual',
    breaks: [keeps('address_type')],
    sentence: 'stores every address with its default address_type',
    rules: (original) => ({
      buildTemplateValues: (template, env) => ({
        ...original.buildTemplateValues(template, env),
        address_type: 'origin',
      }),
    }),
  },
  {
    id: 'create-default-false-is-null',
    breaks: [keeps('default')],
    sentence: 'treats default false as not sent and stores null',
    rules: (original) => ({
      buildTemplateValues: (template, env) => {
        const values = original.buildTemplateValues(template, env);
        return { ...values, default: values.default || null };
      },
    }),
  },
  {
    id: 'create-default-always-false',
    breaks: [keeps('default')],
    sentence: 'stores default false whatever was sent',
    rules: (original) => ({
      buildTemplateValues: (template, env) => ({
        ...original.buildTemplateValues(template, env),
        default: false,
      }),
    }),
  },
];
