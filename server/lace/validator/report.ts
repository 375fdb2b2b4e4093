import type { ChainMethod } from '../ast.ts'
import type { LaceCode } from '../errors.ts'

/** Notes a problem. `detail` is built only when it is kept; `node` and `nodeField` say where it stands. */
export type Report = (
  code: LaceCode,
  callIndex: number | null,
  chainMethod: ChainMethod | undefined,
  field: string | null,
  detail: () => string,
  node: object | null,
  nodeField?: string,
) => void
