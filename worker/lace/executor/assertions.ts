import type { AssertionRecord } from '../result.ts'
import { type Json, type JsonObject, measure } from './json.ts'
import { LONGEST_TEXT } from './work.ts'

const LONGEST_OPERAND = 8 * 1024
const SHORTEST_OPERAND = 64
export type OperandLimits = {
  /** Characters that a run's operands may still take before they are cut short. */
  left: number
  /** The first `length` characters of a text without secrets. */
  maskStart: (text: string, length: number) => Promise<string>
}

/** Collects assertion records, and keeps values that were compared from filling the result with whole bodies. */
export class AssertionLog {
  readonly records: AssertionRecord[] = []
  private readonly limits: OperandLimits

  constructor(limits: OperandLimits) {
    this.limits = limits
  }

  async add(record: AssertionRecord): Promise<void> {
    this.records.push(
      record.method === 'assert'
        ? { ...record, actualLhs: await this.cut(record.actualLhs), actualRhs: await this.cut(record.actualRhs) }
        : { ...record, actual: await this.cut(record.actual), expected: await this.cut(record.expected) },
    )
  }

  options(options: JsonObject | null): JsonObject | null {
    if (options === null) return null
    const { size } = measure(options, LONGEST_OPERAND)
    return size > LONGEST_OPERAND ? { tooLarge: true } : options
  }

  private async cut(value: Json): Promise<Json> {
    const longest = this.limits.left > 0 ? LONGEST_OPERAND : SHORTEST_OPERAND
    const { size } = measure(value, longest)
    this.limits.left -= Math.min(size, longest)
    if (size <= longest) return value
    if (typeof value !== 'string' && measure(value, LONGEST_TEXT).size > LONGEST_TEXT) return '…'
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `${(await this.limits.maskStart(text, longest)).slice(0, longest)}…`
  }
}
