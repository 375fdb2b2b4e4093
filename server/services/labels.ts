import { fieldInvalid } from '../errors.ts'

/** The fields of a request. Clients that know one label send `label` alone. */
type Given = { label?: string | null | undefined; labels?: string[] | undefined }

/**
 * Returns the labels that a request gives a service that has `present`; undefined when it names neither field. `label`
 * alone replaces the first one, so that the response has what was sent; an empty one removes all.
 * @throws ApiError `field_invalid` on `label` when both fields are given and it is not the first of `labels`
 */
export function labelsOf({ label, labels }: Given, present: readonly string[] = []): string[] | undefined {
  if (labels !== undefined) {
    if (label !== undefined && (label || null) !== (labels[0] ?? null)) {
      throw fieldInvalid('label', 'must be the first of labels, or be left out')
    }
    return labels
  }
  if (label === undefined) return undefined
  return label ? [label, ...present.slice(1).filter((one) => one !== label)] : []
}

export function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index])
}
