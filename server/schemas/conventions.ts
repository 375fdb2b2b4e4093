import { z } from 'zod'

// Schemas that all resources share: ids, instants, pages, names.

/** A UUID. `z.guid()` accepts every well-formed one; `z.uuid()` refuses some versions. */
export const Id = z.guid()

/** The id of one kind of thing. Its example is the same in the whole document, so that examples fit together. */
export function idOf(description: string, example: string) {
  return Id.meta({ description, example })
}

export const OrganizationId = idOf('The id of the organization.', '019aa0e0-0101-7abc-8def-0123456789ab')
export const WorkspaceId = idOf('The id of the workspace.', '019aa0f0-3456-7abc-8def-0123456789ab')
export const ProjectId = idOf('The id of the project.', '019aa0f0-2345-7abc-8def-0123456789ab')
export const ServiceId = idOf('The id of the service.', '019aa0f0-1234-7abc-8def-0123456789ab')
export const ResultId = idOf('The id of the result.', '019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f')
export const StepId = idOf('The id of the step.', '019aa0f4-7f2c-7d4e-8f50-7b6c5d4e3f20')
export const AgentId = idOf('The id of the agent.', '019aa0f4-1111-7aaa-8bbb-2c3d4e5f6a7b')
export const IncidentId = idOf('The id of the incident.', '019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f')
export const VariableId = idOf('The id of the variable.', '019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f')
export const SilenceId = idOf('The id of the silence.', '019aa0f2-5b6c-7d7e-8f80-1b2c3d4e5f60')
export const MaintenanceId = idOf('The id of the maintenance.', '019aa0f2-6c7d-7e8f-8091-3c4d5e6f7081')
export const WebhookId = idOf('The id of the webhook.', '019aa0f1-6c7d-7e8f-8091-2c3d4e5f6071')
export const BindingId = idOf('The id of the webhook binding.', '019aa0f1-7d8e-7f90-81a2-3d4e5f607182')
export const GroupId = idOf('The id of the group.', '019aa0e0-0404-7abc-8def-0123456789ab')
export const UserId = idOf('The id of the user account.', '019aa0e0-0202-7abc-8def-0123456789ab')
export const OrgUserId = idOf('The id of the membership.', '019aa0f4-3c1a-7d2e-9f10-5b2f0c6d7e81')

/** ISO-8601 in UTC, milliseconds included. */
export const Instant = z.iso.datetime().meta({ example: '2026-11-20T12:30:00.000Z' })

/** When a resource was created. */
export const CreatedAt = Instant.meta({ description: 'When it was created.', example: '2026-11-01T08:00:00.000Z' })

/**
 * A trimmed string on one line, in Unicode's form NFC. Names appear in mails, logs and terminals, where control characters
 * and line breaks could forge output. Invisible characters, or another form, could make two names look alike.
 */
export const LineOfText = z
  .string()
  .trim()
  .normalize('NFC')
  .refine(
    (text) => !UNSEEN.test(text.replace(WRITTEN, 'x')),
    'must not contain invisible characters, control characters or line breaks',
  )

// Cc: control. Cf: format, such as zero-width spaces and bidi controls. Cs: half a surrogate pair. Zl, Zp: separators.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/**
 * Invisible characters that writing needs: within flags of regions, within emoji, and joiners between two letters of scripts
 * that use them.
 */
const WRITTEN =
  /\u{1f3f4}[\u{e0061}-\u{e007a}]{3,6}\u{e007f}|\p{Extended_Pictographic}(?:\ufe0e|\ufe0f)?\p{Emoji_Modifier}?(?:\u200d\p{Extended_Pictographic}(?:\ufe0e|\ufe0f)?\p{Emoji_Modifier}?)*|[#*0-9]\ufe0f?\u20e3|[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}](?:\u200c|\u200d)(?=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}])/gu

export const NAME_MAX = 128

/** Trimmed, not empty, at most 128 characters, on one line. */
export const Name = LineOfText.min(1).max(NAME_MAX).meta({
  description: 'The name. Trimmed; must not contain invisible characters, control characters or line breaks.',
  example: 'Checkout',
})

export const LABEL_MAX = 32

/** A short text shown next to a name; can be empty. */
export const Label = LineOfText.max(LABEL_MAX).meta({
  description: 'A short text shown next to the name; an empty one clears it.',
  example: 'production',
})

/** The most labels of a service. */
export const LABELS_MAX = 10

/** The labels of a service, each once. The first is its `label`. */
export const Labels = z
  .array(LineOfText.min(1).max(LABEL_MAX))
  .max(LABELS_MAX)
  .superRefine((labels, check) => {
    for (const [index, label] of labels.entries()) {
      if (labels.indexOf(label) < index) {
        check.addIssue({ code: 'custom', path: [index], message: 'must not be given twice' })
      }
    }
  })
  .meta({
    description: `The labels, at most ${LABELS_MAX}, each once: they replace all that the service has. The first is \`label\`. An empty array clears them.`,
    example: ['production', 'checkout'],
  })

export const Ok = z
  .object({ ok: z.literal(true).meta({ description: 'Always true: failures have an error status.', example: true }) })
  .meta({ id: 'Ok', description: 'The request was carried out.' })

/**
 * An integer in a query: digits only, so `1e1`, `0x10` and an empty string are refused. A number out of bounds is clamped
 * to just past its bound: with any number of digits, the refusal then names the bound.
 */
export function queryInt(min: number, max: number) {
  return z.preprocess(
    (value) =>
      typeof value === 'string' && /^-?\d+$/.test(value) ? Math.min(Math.max(Number(value), min - 1), max + 1) : value,
    z.int().min(min).max(max),
  )
}

/** The maximum of `page × pageSize`. */
export const PAGE_ROWS_MAX = 100_000
export const PAGE_SIZE_MAX = 100
export const PAGE_SIZE_DEFAULT = 50

export const PageQuery = z.object({
  page: queryInt(1, PAGE_ROWS_MAX)
    .default(1)
    .meta({
      description: `The page to read, from 1. \`page\` times \`pageSize\` is at most ${PAGE_ROWS_MAX.toLocaleString('en')}.`,
      example: 1,
    }),
  pageSize: queryInt(1, PAGE_SIZE_MAX)
    .default(PAGE_SIZE_DEFAULT)
    .meta({ description: 'How many entries a page has at most.', example: PAGE_SIZE_DEFAULT }),
})
export type PageQuery = z.output<typeof PageQuery>

/** The envelope of every list. `total` counts across all pages. */
export function pageOf<T extends z.ZodType>(item: T, id: string) {
  return z
    .object({
      items: z.array(item).meta({ description: 'The entries of this page.' }),
      total: z.int().meta({ description: 'How many entries there are across all pages.', example: 1 }),
      page: z.int().meta({ description: 'The page that was read, from 1.', example: 1 }),
      pageSize: z.int().meta({ description: 'How many entries a page has at most.', example: PAGE_SIZE_DEFAULT }),
    })
    .meta({ id, description: 'One page of a list; `total` is the count across all pages.' })
}

/**
 * An enumeration that can gain values: any string is valid. The document names the known ones as `x-extensible-enum`, and
 * our own TypeScript client turns those into a union.
 */
export function openEnum(values: readonly [string, ...string[]]) {
  return z.string().meta({ 'x-extensible-enum': [...values], example: values[0] })
}
