import { z } from 'zod'

/** Bytes as browsers write them, in base64url. */
export function base64url(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .regex(/^[A-Za-z0-9_-]+$/)
}

/** What a browser returns when the member confirms with a passkey: the signature of a challenge. */
export const PasskeyProof = z.object({
  id: base64url(1_400),
  response: z.object({
    clientDataJSON: base64url(4_096),
    authenticatorData: base64url(4_096),
    signature: base64url(2_048),
  }),
})
export type PasskeyProof = z.output<typeof PasskeyProof>
