/** A value of two JSON bodies that differs. `before` or `after` is null where that body has no such value. */
export type JsonChange = { path: string; before: string | null; after: string | null }

/** More changes say no more than that the bodies are different. */
const CHANGES_MAX = 200
const VALUE_MAX = 300

type Value = unknown

/** Compares two JSON values by structure, in the order of the earlier one. `leftOut` counts the changes above the limit. */
export function jsonChanges(before: Value, after: Value): { changes: JsonChange[]; leftOut: number } {
  const changes: JsonChange[] = []
  let found = 0
  const report = (path: string, left: string | null, right: string | null) => {
    found++
    if (changes.length < CHANGES_MAX) changes.push({ path: path || '(whole body)', before: left, after: right })
  }
  const compare = (path: string, left: Value, right: Value) => {
    if (Array.isArray(left) && Array.isArray(right)) compareItems(path, left, right)
    else if (isObject(left) && isObject(right)) {
      for (const [key, value] of Object.entries(left)) {
        if (Object.hasOwn(right, key)) compare(memberPath(path, key), value, right[key])
        else report(memberPath(path, key), textOf(value), null)
      }
      for (const [key, value] of Object.entries(right)) {
        if (!Object.hasOwn(left, key)) report(memberPath(path, key), null, textOf(value))
      }
    } else if (left !== right) report(path, textOf(left), textOf(right))
  }
  /** Equal items at both ends are left out, so that one item more does not change all that follow it. */
  const compareItems = (path: string, left: Value[], right: Value[]) => {
    const [texts, others] = [left, right].map((items) => items.map((item) => JSON.stringify(item))) as [
      string[],
      string[],
    ]
    const shorter = Math.min(left.length, right.length)
    let start = 0
    while (start < shorter && texts[start] === others[start]) start++
    let end = 0
    while (end < shorter - start && texts.at(-1 - end) === others.at(-1 - end)) end++
    const [leftEnd, rightEnd] = [left.length - end, right.length - end]
    for (let index = start; index < Math.max(leftEnd, rightEnd); index++) {
      const place = `${path}[${index}]`
      if (index >= leftEnd) report(place, null, textOf(right[index]))
      else if (index >= rightEnd) report(place, textOf(left[index]), null)
      else compare(place, left[index], right[index])
    }
  }
  compare('', before, after)
  return { changes, leftOut: found - changes.length }
}

function isObject(value: Value): value is Record<string, Value> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function memberPath(path: string, key: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`
}

function textOf(value: Value): string {
  const text = JSON.stringify(value)
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)} …` : text
}
