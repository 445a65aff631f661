/** Specification 1, section 2, Pagination meta: the place of a page within the whole list. */
export const paginationMetaSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'PaginationMeta',
  title: 'Where a page of the list stands in the whole',
  type: 'object',
  required: ['total_count', 'per_page', 'current_page', 'total_pages', 'next_page', 'prev_page'],
  properties: {
    total_count: { type: 'integer', minimum: 0, description: 'Number of saved addresses on all pages.' },
    per_page: { type: 'integer', maximum: 20, description: 'Size of a full page.' },
    // No bounds: the specification leaves open whether pages count from 0 or 1, and what an absurd page
    // number gets.
    current_page: { type: 'integer', description: 'Number of this page.' },
    total_pages: { type: 'integer', minimum: 0, description: 'Number of pages.' },
    next_page: { type: ['integer', 'null'], description: 'Number of the following page; null on the last.' },
    prev_page: { type: ['integer', 'null'], description: 'Number of the preceding page; null on the first.' },
  },
} as const;
