import { summarize, titleOf, type WebhookMessage } from './messages.ts'
import { SAMPLES } from './samples.ts'

// Templates of request bodies: text in which `{{summary}}` or `{{service.name}}` are replaced by parts of the message.

const PLACEHOLDER = /\{\{\s*([A-Za-z][A-Za-z0-9_.]*)\s*\}\}/g
/** Anything in double braces, to find placeholders that no message can fill in. */
const BRACES = /\{\{[^{}]*\}\}/g
const JSON_TYPE = /^\s*application\/([a-z0-9.-]+\+)?json\s*(;|$)/i
const RENDERED_MAX = 256 * 1024
const NOT_JSON = 'must be JSON after its placeholders are replaced; put strings in quotation marks'

/** Every field that a message of any kind can have. */
const SAMPLE_VALUES = SAMPLES.map(valuesOf)

/** A rendered template is longer than `RENDERED_MAX`. The error's message is for the delivery log. */
export class MessageTooLongError extends Error {
  constructor() {
    super(`the message is longer than ${RENDERED_MAX / 1_024} KiB`)
  }
}

/**
 * Returns the template with its placeholders replaced. A field that this message lacks is empty, and null where JSON
 * expects a value.
 *
 * @throws MessageTooLongError
 */
export function renderTemplate(template: string, contentType: string, message: WebhookMessage): string {
  return render(template, placeholdersOf(template), JSON_TYPE.test(contentType), valuesOf(message))
}

/** Returns what is wrong with a template, or null: an unknown placeholder, or a result that is not JSON. */
export function templateProblem(template: string, contentType: string): string | null {
  for (const found of new Set(template.match(BRACES))) {
    const path = found.slice(2, -2).trim()
    if (SAMPLE_VALUES.every((values) => valueAt(values, path) === undefined))
      return `must not contain ${found}, which is not part of a message`
  }
  const isJson = JSON_TYPE.test(contentType)
  const placeholders = placeholdersOf(template)
  try {
    const rendered = SAMPLE_VALUES.map((values) => render(template, placeholders, isJson, values))
    return !isJson || (rendered.every(isJsonText) && !hasBareString(placeholders)) ? null : NOT_JSON
  } catch (error) {
    if (error instanceof MessageTooLongError) return error.message
    throw error
  }
}

/** Returns the content type of the body, by the webhook's headers. */
export function contentTypeOf(headers: Record<string, string>): string {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'application/json'
}

/** Returns the values that placeholders can name: the payload's fields, and those that every message has. */
function valuesOf(message: WebhookMessage): Record<string, unknown> {
  const { type, timestamp, data } = message
  return { ...data, type, timestamp, summary: summarize(message), title: titleOf(message) }
}

function render(
  template: string,
  placeholders: Placeholder[],
  isJson: boolean,
  values: Record<string, unknown>,
): string {
  let rendered = ''
  let end = 0
  for (const placeholder of placeholders) {
    const value = valueAt(values, placeholder.path)
    rendered += template.slice(end, placeholder.start)
    rendered += !isJson ? plainText(value) : placeholder.isInString ? stringText(value) : JSON.stringify(value ?? null)
    end = placeholder.end
    if (rendered.length > RENDERED_MAX) throw new MessageTooLongError()
  }
  return rendered + template.slice(end)
}

function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns the value as written within a JSON string. */
function stringText(value: unknown): string {
  return JSON.stringify(plainText(value)).slice(1, -1)
}

/** Whether a text field is in JSON without quotation marks, which is always a mistake. */
function hasBareString(placeholders: Placeholder[]): boolean {
  const paths = new Set(placeholders.filter(({ isInString }) => !isInString).map(({ path }) => path))
  return [...paths].some((path) => SAMPLE_VALUES.some((values) => typeof valueAt(values, path) === 'string'))
}

type Placeholder = { path: string; start: number; end: number; isInString: boolean }

/** Returns the placeholders in order, each with whether it is inside a JSON string. */
function placeholdersOf(template: string): Placeholder[] {
  let end = 0
  let isInString = false
  return [...template.matchAll(PLACEHOLDER)].map(({ 0: found, 1: path, index: start }) => {
    isInString = endsInString(template.slice(end, start), isInString)
    end = start + found.length
    return { path: path as string, start, end, isInString }
  })
}

function endsInString(text: string, wasOpen: boolean): boolean {
  let isOpen = wasOpen
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\' && isOpen) i++
    else if (text[i] === '"') isOpen = !isOpen
  }
  return isOpen
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function valueAt(values: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      values,
    )
}
