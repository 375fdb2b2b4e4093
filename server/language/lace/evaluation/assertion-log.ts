import type { AssertionRecord } from '../result.ts'
import { type Json, type JsonObject, jsonPrefix, measureJson } from '../values/json.ts'
import { type EvaluationContext, warn } from './context.ts'

const MAX_OPERAND_LENGTH = 8 * 1024
const REDUCED_OPERAND_LENGTH = 64
/** Per record: it is built, printed, masked and stored. */
const RECORD_STEPS = 4_000
/** Per character of an operand. */
const OPERAND_STEPS = 20
/** The share of the record budget that is reserved for failed assertions. */
const FAILED_SHARE = 1 / 4

/** The characters that the assertion records of a run may still use. */
export type RecordBudget = { operands: number; records: number }

export const RECORD_BUDGET: RecordBudget = { operands: 256 * 1024, records: 512 * 1024 }

type OperandField = 'actual' | 'expected' | 'actualLhs' | 'actualRhs'

/**
 * An operand that exceeds its limit. Its record still holds more than `length` characters, so that a secret that
 * crosses the limit can be found. `maskTruncated` masks it and then truncates it to `length` characters.
 */
export type TruncatedOperand = { record: number; field: OperandField; length: number }

/** Collects assertion records, and truncates operands so that whole bodies do not fill the result. */
export class AssertionLog {
  readonly records: AssertionRecord[] = []
  readonly truncated: TruncatedOperand[] = []
  readonly budget: RecordBudget
  private readonly context: EvaluationContext
  private readonly lookahead: number
  /** By object, so that a body that is compared again is not serialized again. */
  private readonly prefixes = new WeakMap<object, string>()
  private omitted = 0

  /** `lookahead`: characters that a truncated operand keeps past its limit until it is masked. */
  constructor(budget: RecordBudget, lookahead: number, context: EvaluationContext) {
    this.budget = { ...budget }
    this.lookahead = lookahead
    this.context = context
  }

  add(given: AssertionRecord): void {
    this.context.budget.spend(RECORD_STEPS)
    const before = this.truncated.length
    const record =
      given.method === 'assert'
        ? {
            ...given,
            actualLhs: this.truncate('actualLhs', given.actualLhs),
            actualRhs: this.truncate('actualRhs', given.actualRhs),
          }
        : {
            ...given,
            actual: this.truncate('actual', given.actual),
            expected: this.truncate('expected', given.expected),
          }
    const extra = (this.truncated.length - before) * this.lookahead
    const size = measureJson(record as unknown as Json, this.budget.records + extra).size - extra
    const reserved = given.outcome === 'failed' ? 0 : RECORD_BUDGET.records * FAILED_SHARE
    if (size > this.budget.records - reserved) {
      this.truncated.length = before
      this.omitted++
      return
    }
    this.budget.records -= size
    this.records.push(record)
  }

  options(options: JsonObject | null): JsonObject | null {
    if (options === null) return null
    const { size } = measureJson(options, MAX_OPERAND_LENGTH)
    return size > MAX_OPERAND_LENGTH ? { tooLarge: true } : options
  }

  /** Adds a warning when assertions were omitted. */
  finish(): void {
    if (this.omitted === 0) return
    warn(this.context, `${this.omitted} assertions are omitted: with them the result would be too large`)
  }

  private truncate(field: OperandField, value: Json): Json {
    const maxLength = this.budget.operands > 0 ? MAX_OPERAND_LENGTH : REDUCED_OPERAND_LENGTH
    const { size } = measureJson(value, maxLength)
    this.context.budget.spend(Math.min(size, maxLength) * OPERAND_STEPS)
    this.budget.operands -= Math.min(size, maxLength)
    if (size <= maxLength) return value
    if (maxLength === REDUCED_OPERAND_LENGTH) return '…'
    this.truncated.push({ record: this.records.length, field, length: maxLength })
    return this.prefixOf(value, maxLength + this.lookahead)
  }

  private prefixOf(value: Json, length: number): string {
    if (typeof value === 'string') return value.slice(0, length)
    const cached = this.prefixes.get(value as object)
    if (cached !== undefined) return cached
    const prefix = jsonPrefix(value, length)
    this.prefixes.set(value as object, prefix)
    return prefix
  }
}

/** Masks secrets in operands that exceed their limit, then truncates these operands. */
export async function maskTruncated(
  records: AssertionRecord[],
  truncated: TruncatedOperand[],
  maskPrefix: (text: string, length: number) => Promise<string>,
): Promise<void> {
  for (const { record, field, length } of truncated) {
    const operands = records[record] as unknown as Record<OperandField, Json>
    operands[field] = `${(await maskPrefix(operands[field] as string, length)).slice(0, length)}…`
  }
}
