import type { DetailName } from './details.ts'

type Details = Record<string, unknown>

/** A text of the table: whole sentences, or a function that puts the details of the error into them. */
export type ErrorText = string | ((details: Details) => string)

/** One row of the table of errors. */
export type ErrorEntry = {
  /** The HTTP status. */
  status: number
  /** What happened, in whole sentences. */
  meaning: string
  /** What the caller does about it, in one sentence: the `message` of an answer. */
  action: ErrorText
  /** Whin the dashboard shows, where meaning and action do not fit a person in front of a form. */
  dashboard?: ErrorText
  /** The fields of `details` that the document names. */
  details?: DetailName[]
  /** Their values in the document's example of this code, where they differ from the fields' own examples. */
  example?: Partial<Record<DetailName, unknown>>
}

export function textWith(text: ErrorText, details: Details): string {
  return typeof text === 'function' ? text(details) : text
}

/** Returns for example: Correct `url`: must be a string. `otherwise` is the reason if the details have none. */
export function correct({ field, reason }: Details, otherwise: string): string {
  const problem = typeof reason === 'string' ? reason.replace(/[.\s]+$/, '') : otherwise
  return `Correct ${quoted(field, 'the request')}: ${problem}.`
}

/** Returns the name in backticks, or `otherwise` without one. */
export function quoted(name: unknown, otherwise: string): string {
  return typeof name === 'string' && name !== '' ? `\`${name}\`` : otherwise
}

/** Returns for example `Service window: has no minutes`: the field as forms call it, and what is wrong with it. */
export function aboutField({ field, reason }: Details, problem: string): string {
  const words = typeof field === 'string' && field !== '' ? labelOf(field) : null
  if (typeof reason === 'string') return words === null ? reason : `${words}: ${reason}`
  return words === null ? 'A value in the form is not valid.' : `${words} ${problem}.`
}

/** Returns for example `Service window` for `serviceWindow`. */
function labelOf(field: string): string {
  const words = field.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
