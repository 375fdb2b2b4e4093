import type { PasskeyProof } from '#server/schemas/account/passkey-proof.ts'
import type { CreatedPasskey } from '#server/schemas/account/passkeys.ts'
import type { Output } from '../../client/api.ts'
import { call, OperationError } from '../../client/call.ts'
import { problemOf } from '../../client/problem.ts'

/** Lets the person choose a passkey, and returns what it signed. @throws OperationError, or Error if the person cancels */
export async function askForPasskey(): Promise<PasskeyProof> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = (await call('query', 'auth.passkeyOptions', undefined)) as Output<'auth.passkeyOptions'>
  const { id, response } = await startAuthentication({ optionsJSON })
  const { clientDataJSON, authenticatorData, signature } = response
  return { id, response: { clientDataJSON, authenticatorData, signature } }
}

/** Lets the person create a passkey. @throws Error if the person cancels, or the authenticator has one already */
export async function createPasskey(optionsJSON: Output<'account.passkeys.begin'>): Promise<CreatedPasskey> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const { id, response } = await startRegistration({ optionsJSON })
  return { id, response: { clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject } }
}

/** Says why there is no passkey. Browsers hide whether the person cancelled. */
export function passkeyProblem(error: unknown): string {
  if (error instanceof OperationError) return problemOf(error).message
  return error instanceof Error && error.name === 'InvalidStateError'
    ? 'This device or password manager already has a passkey for your account.'
    : 'The browser gave no passkey. Try again, or use another way.'
}
