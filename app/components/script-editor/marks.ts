/** A problem in the script. Line and column count from 1, and are null if it concerns the whole script. */
export type Mark = {
  line: number | null
  column: number | null
  message: string
  /** A warning does not prevent a save. Default: error. */
  severity?: 'error' | 'warning'
}
