import { ServiceId } from '../conventions.ts'

/** The JSON schemas of the fields of `details`, all of them optional. The table of errors says which code has which. */
export const DETAILS = {
  field: {
    type: 'string',
    description: 'The parameter or body field that the error is about.',
    examples: ['script'],
  },
  reason: {
    type: 'string',
    description: 'What is wrong with the field, in words for people.',
    examples: ['targets a private address'],
  },
  max: { type: 'integer', description: 'The upper bound.', examples: [100] },
  id: {
    type: 'string',
    description: 'The id of the existing resource, where the caller may see it.',
    examples: [ServiceId.meta()?.example],
  },
  key: { type: 'string', description: 'The key of the variable.', examples: ['name'] },
  callIndex: {
    type: 'integer',
    description: 'The index of the call that the error is about, from 0.',
    examples: [0],
  },
  hosts: {
    type: 'array',
    items: { type: 'string' },
    description: 'The unverified hosts that the script targets.',
    examples: [['shop.example']],
  },
  version: { type: 'integer', description: 'The current version of the service.', examples: [18] },
  maxBytes: { type: 'integer', description: 'The maximum size in bytes.', examples: [1_048_576] },
  unknown: {
    type: 'array',
    items: { type: 'string' },
    description: 'Slugs that are unknown, inactive or not visible to the caller.',
    examples: [['frankfurt']],
  },
  errors: {
    type: 'array',
    description: 'Every problem of the script, or the first 20 wrong fields of the body when there are several.',
    items: {
      type: 'object',
      required: ['code'],
      properties: {
        code: {
          type: 'string',
          description:
            'A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host ' +
            'that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, ' +
            'the error code.',
          examples: ['SECRET_HOST_NOT_ALLOWED'],
        },
        callIndex: {
          type: ['integer', 'null'],
          description: 'The index of the call, from 0; null without one.',
          examples: [0],
        },
        field: { type: ['string', 'null'], description: 'The field; null without one.', examples: ['url'] },
        reason: {
          type: 'string',
          description: 'What is wrong with the field of the body, in words for people.',
          examples: ['must be a string'],
        },
        detail: {
          type: ['string', 'null'],
          description: 'What is wrong in the script, in words for people.',
          examples: ['the secret $s.token would be sent to shop.example'],
        },
        line: { type: ['integer', 'null'], description: 'Line of the script, from 1.', examples: [3] },
        column: { type: ['integer', 'null'], description: 'Column of the line, from 1.', examples: [5] },
      },
    },
  },
} as const

export type DetailName = keyof typeof DETAILS
