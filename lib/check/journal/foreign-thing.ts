/** Thrown when the cleanup meets something that the run did not make. Nothing further is undone then. */
export class ForeignThing extends Error {}
