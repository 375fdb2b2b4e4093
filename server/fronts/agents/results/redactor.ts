import { loadRunVariables } from '../../../runs/probes/load.ts'
import type { RunAttempt } from '../../../runs/record/finished-run.ts'
import { createRedactor, type Redactor } from '../../../runs/redaction/redact.ts'
import { TooManySecrets } from '../../../runs/redaction/secret-search.ts'
import type { Gateway } from '../requests/gateway-context.ts'

/**
 * Returns a redactor for the secrets of all scopes of a run's service, also those that its agent does not know. A string is
 * the reason why nothing can be masked.
 */
export async function createRunRedactor({ runtime }: Gateway, run: RunAttempt): Promise<Redactor | string> {
  const read = await loadRunVariables(runtime.db, runtime.vault, run)
  if (read === null) return 'the service was deleted'
  if (read.refusal !== null) return read.refusal
  try {
    return await createRedactor(read.variables.secrets, run.organizationId)
  } catch (error) {
    if (!(error instanceof TooManySecrets)) throw error
    return error.message
  }
}
