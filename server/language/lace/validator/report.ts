import type { ChainMethod } from '../ast.ts'
import type { LaceCode } from '../errors.ts'

/** Reports a problem. `detail` is called only if the problem is kept; `node` and `nodeField` locate it. */
export type Report = (
  code: LaceCode,
  callIndex: number | null,
  chainMethod: ChainMethod | undefined,
  field: string | null,
  detail: () => string,
  node: object | null,
  nodeField?: string,
) => void
