import type { AssertionRecord } from '../result.ts'
import { type Json, type JsonObject, measure } from './json.ts'
import { LONGEST_TEXT } from './work.ts'

const LONGEST_OPERAND = 8 * 1024
const SHORTEST_OPERAND = 64
/** What is masked beyond a cut, so that nothing secret is left in part before it. */
const MARGIN = 64 * 1024

export type OperandLimits = {
  /** Characters that a run's operands may still take before they are cut short. */
  left: number
  /** Takes secrets out of a text that is going to be cut. */
  mask: (text: string) => string
}

/** Collects assertion records, and keeps values that were compared from filling the result with whole bodies. */
export class AssertionLog {
  readonly records: AssertionRecord[] = []
  private readonly limits: OperandLimits

  constructor(limits: OperandLimits) {
    this.limits = limits
  }

  add(record: AssertionRecord): void {
    this.records.push(
      record.method === 'assert'
        ? { ...record, actualLhs: this.cut(record.actualLhs), actualRhs: this.cut(record.actualRhs) }
        : { ...record, actual: this.cut(record.actual), expected: this.cut(record.expected) },
    )
  }

  options(options: JsonObject | null): JsonObject | null {
    if (options === null) return null
    const { size } = measure(options, LONGEST_OPERAND)
    return size > LONGEST_OPERAND ? { tooLarge: true } : options
  }

  private cut(value: Json): Json {
    const longest = this.limits.left > 0 ? LONGEST_OPERAND : SHORTEST_OPERAND
    const { size } = measure(value, longest)
    this.limits.left -= Math.min(size, longest)
    if (size <= longest) return value
    if (typeof value !== 'string' && measure(value, LONGEST_TEXT).size > LONGEST_TEXT) return '…'
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `${this.limits.mask(text.slice(0, longest + MARGIN)).slice(0, longest)}…`
  }
}
