import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import '#server/process/zod-messages.ts'

type Code = z.core.$ZodIssue['code']
type Case = [schema: z.ZodType, value: unknown, reason: string]

// The type requires cases for every issue code of zod.
const CASES: Record<Code, Case[]> = {
  invalid_type: [
    [z.string(), 1, 'must be a string'],
    [z.number(), '1', 'must be a number'],
    [z.int(), '1', 'must be an integer'],
    [z.int().min(1), '1', 'must be an integer'],
    [z.int(), 1.5, 'must be an integer'],
    [z.boolean(), 'true', 'must be a boolean'],
    [z.array(z.string()), {}, 'must be an array'],
    [z.tuple([z.string()]), {}, 'must be an array'],
    [z.object({}), [], 'must be an object'],
    [z.record(z.string(), z.string()), 'x', 'must be an object'],
    [z.null(), 0, 'must be null'],
    [z.date(), 'x', 'has the wrong type'],
    [z.object({ a: z.object({ b: z.array(z.string()) }) }), { a: { b: [1] } }, 'must be a string'],
  ],
  invalid_value: [
    [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
    [z.literal('a'), 'c', 'must be a'],
  ],
  invalid_format: [
    [z.url(), 'x', 'must be a URL'],
    [z.email(), 'x', 'must be an email address'],
    [z.guid(), 'x', 'must be a UUID'],
    [z.iso.datetime(), 'x', 'must be a time such as 2026-01-31T12:00:00Z'],
    [z.iso.date(), 'x', 'must be a date such as 2026-01-31'],
    [z.string().regex(/^a$/), 'x', 'has the wrong format'],
    [z.ipv4(), 'x', 'has the wrong format'],
  ],
  too_small: [
    [z.string().min(1), '', 'must not be empty'],
    [z.string().length(2), '', 'must be exactly 2 characters long'],
    [z.array(z.string()).min(2), [], 'must have at least 2 entries'],
    [z.int().min(1), -1, 'must be at least 1'],
    [z.number().gt(1), 1, 'must be more than 1'],
  ],
  too_big: [
    [z.string().max(2), 'abc', 'must be at most 2 characters long'],
    [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entry'],
    [z.int().max(5), 6, 'must be at most 5'],
    [z.int(), 1e300, 'must be at most 9007199254740991'],
    [z.number().lt(5), 5, 'must be less than 5'],
  ],
  not_multiple_of: [[z.number().multipleOf(5), 6, 'must be a multiple of 5']],
  unrecognized_keys: [
    [z.strictObject({}), { a: 1 }, 'has the unknown field "a"'],
    [z.strictObject({}), { a: 1, b: 2 }, 'has the unknown fields "a", "b"'],
  ],
  invalid_union: [
    [z.union([z.string(), z.array(z.string())]), 1, 'must be a string or an array'],
    [z.union([z.literal(1), z.literal(2)]), 3, 'must be 1 or 2'],
    [z.union([z.object({ a: z.string() }), z.string()]), { a: 1 }, 'has none of the accepted forms'],
    [
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })]),
      { kind: 'b' },
      'has none of the accepted forms',
    ],
  ],
  invalid_key: [
    [z.record(z.string().min(2), z.string()), { a: 'x' }, 'is a name that must be at least 2 characters long'],
  ],
  invalid_element: [[z.map(z.object({}), z.string().min(2)), new Map([[{}, 'x']]), 'is not accepted']],
  custom: [[z.string().refine(() => false), 'x', 'is not accepted']],
}

describe('the reason for a refused value', () => {
  const rows = Object.entries(CASES).flatMap(([code, cases]) =>
    cases.map(([schema, value, reason]) => ({ code, schema, value, reason })),
  )
  test.each(rows)('$code: $reason', ({ code, schema, value, reason }) => {
    const issue = schema.safeParse(value).error?.issues[0]
    expect({ code: issue?.code, reason: issue?.message }).toEqual({ code, reason })
  })
})
