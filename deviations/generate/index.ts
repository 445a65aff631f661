/** All deviations that are generated from the surface of a service. */
import type { Deviation, FieldRequirements, Surface } from '../types.ts';
import { bodyDeviations, fieldDeviations } from './fields.ts';
import { headerDeviations, statusDeviations } from './statuses.ts';

/** Generates the deviations of one service; their ids are unique within it. */
export function generateDeviations<Rules>(surface: Surface, fields: FieldRequirements): Deviation<Rules>[] {
  return [
    ...fieldDeviations<Rules>(surface, fields),
    ...bodyDeviations<Rules>(surface),
    ...statusDeviations<Rules>(surface),
    ...headerDeviations<Rules>(surface),
  ];
}
