import { describe, expect, test } from 'vitest';
import { inventedLike } from '../../services/agents/api/api-access.ts';

describe('a key that was never issued', () => {
  test.each([
    ['a prefix and a long rest', 'sk_live0123456789abcdef', /^sk_[a-z]{4}[0-9]{10}[a-f]{6}$/],
    ['a separator at the very end', 'sQpfhgewd_', /^[A-Za-z]{9}_$/],
    ['a separator in the middle of a short key', 'abcdefgh-x', /^[a-z]{8}-[a-z]$/],
    ['digits', '0123456789', /^[0-9]{10}$/],
  ])('looks like the issued one: %s', (_, issued, form) => {
    for (let i = 0; i < 50; i++) {
      const invented = inventedLike(issued);
      expect(invented).toMatch(form);
      expect(invented).not.toBe(issued);
    }
  });

  test('differs from the issued one even where no other random characters are possible', () => {
    expect(inventedLike('____------')).not.toBe('____------');
  });
});
