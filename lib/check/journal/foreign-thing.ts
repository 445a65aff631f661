/** Something that the run did not make, where only what it made was expected. Nothing further is undone. */
export class ForeignThing extends Error {}
