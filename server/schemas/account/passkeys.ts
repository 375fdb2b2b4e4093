import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { z } from 'zod'
import { Id, Instant, Name } from '../conventions.ts'
import { Reauthentication } from './accounts.ts'
import { base64url, PasskeyProof } from './passkey-proof.ts'

/** The most passkeys of one account. */
export const PASSKEYS_MAX = 20

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
})
export type Passkey = z.output<typeof Passkey>

/** What `navigator.credentials.create` and `get` take, as JSON. */
export const CreationOptions = z.custom<PublicKeyCredentialCreationOptionsJSON>()
export const RequestOptions = z.custom<PublicKeyCredentialRequestOptionsJSON>()

/** What a browser returns for a new passkey. */
export const CreatedPasskey = z.object({
  id: base64url(1_400),
  response: z.object({ clientDataJSON: base64url(4_096), attestationObject: base64url(12_000) }),
})
export type CreatedPasskey = z.output<typeof CreatedPasskey>

export const PasskeyAddition = z.object({ name: Name, passkey: CreatedPasskey })
/** The codes are those of the account's first second factor. */
export const AddedPasskey = z.object({ recoveryCodes: z.array(z.string()).nullable() })
export const PasskeyRename = z.object({ id: Id, name: Name })
export const PasskeyRemoval = Reauthentication.extend({ id: Id })
export const PasskeySignIn = z.object({ passkey: PasskeyProof })
