import { z } from 'zod'
import { Id, Instant, Name, pageOf } from '../conventions.ts'
import { PasskeyProof } from './passkey-proof.ts'
import { LEVELS, SECTIONS } from './sections.ts'

// Sign-in, and operations of members on their own account.

/** The email address to sign in with: trimmed, lower case. */
export const Email = z.string().trim().toLowerCase().pipe(z.email().max(254))

export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 1_024

/** Returns the form of a password that is hashed, so that different keyboards produce the same password. */
export function normalizedPassword(text: string): string {
  return text.normalize('NFC')
}

/** Returns whether a password has at most `max` code points. Limits the cost of hashing. */
function isWithin(max: number, text: string): boolean {
  // Do not normalize a string that is certainly too long.
  return text.length <= 4 * max && countCharacters(text) <= max
}

function countCharacters(text: string): number {
  return [...normalizedPassword(text)].length
}

/** A password that the user chooses. */
export const NewPassword = z
  .string()
  .refine((text) => isWithin(PASSWORD_MAX, text), {
    error: `must be at most ${PASSWORD_MAX} characters`,
    abort: true,
  })
  .refine((text) => countCharacters(text) >= PASSWORD_MIN, `must be at least ${PASSWORD_MIN} characters`)

/** A password to check. A short one is wrong, not invalid. */
export const GivenPassword = z
  .string()
  .min(1)
  .refine((text) => isWithin(PASSWORD_MAX, text), `must be at most ${PASSWORD_MAX} characters`)

/** A six-digit code of the authenticator, or a recovery code. */
export const Code = z.string().trim().min(1).max(64)

/** The second factor of an account that has one: a code, or a passkey. */
const secondFactor = { code: Code.optional(), passkey: PasskeyProof.optional() }

export const SignInInput = z.object({ email: Email, password: GivenPassword, ...secondFactor })

export const DisplayName = Name

export const InvitationInput = z.object({ token: z.string().min(1).max(128) })

export const SwitchInput = z.object({ organizationId: Id })

export const AcceptInvitationInput = InvitationInput.extend({
  displayName: DisplayName,
  /** The password of the existing account with the address, or of the new account. */
  password: GivenPassword,
  /** Required for an existing account with a second factor. */
  ...secondFactor,
  /** Takes over an existing account whose address was never verified. Requires a mailed link. */
  takeOver: z.boolean().optional(),
})

export const Invitation = z.object({
  organization: z.string(),
  email: z.string(),
  /** The link was mailed, so that opening it verifies the address. */
  isMailed: z.boolean(),
})

export const PasswordResetRequest = z.object({ email: Email })
export const ResetToken = z.object({ token: z.string().min(1).max(128) })
export const PasswordResetInput = ResetToken.extend({ password: NewPassword })
export const PasswordReset = z.object({
  email: z.string(),
  /** The address was never verified: setting a password also removes the second factor and the keys of the account. */
  takesOver: z.boolean(),
})

/** The signed-in member, their organization and their permissions in it. */
export const Me = z.object({
  user: z.object({
    id: Id,
    email: z.string(),
    displayName: z.string(),
    /** Has an authenticator app as a second factor. */
    hasTotp: z.boolean(),
    hasPasskey: z.boolean(),
    /** A link mailed to the address was opened. */
    isEmailVerified: z.boolean(),
  }),
  organization: z.object({ id: Id, name: z.string(), timezone: z.string() }),
  organizations: z.array(z.object({ id: Id, name: z.string() })),
  isOwner: z.boolean(),
  /** Owns the organization that operates the installation: sees the System page. */
  isOperator: z.boolean(),
  sections: z.record(z.enum(SECTIONS), z.enum(LEVELS)),
  /** The installation sends mail. */
  sendsMail: z.boolean(),
  /** Browsers allow passkeys at the address of the dashboard. */
  canUsePasskeys: z.boolean(),
  /** The organization or a group requires a second factor. Until the member enrols, only the account pages work. */
  totpEnrollmentRequired: z.boolean(),
})
export type Me = z.output<typeof Me>

/** The token of the set-up link, which `npm start` prints while there is no account. */
export const SetupToken = z.object({ token: z.string().min(1).max(128) })

export const SetupInput = SetupToken.extend({
  email: Email,
  password: NewPassword,
  displayName: DisplayName.optional(),
  organization: Name,
})

/** The password, and the second factor if there is one: for operations that a stolen session must not perform. */
export const Reauthentication = z.object({ password: GivenPassword, ...secondFactor })

export const PasswordChange = Reauthentication.extend({ newPassword: NewPassword })
export const EmailChange = Reauthentication.extend({ email: Email })
/** `isPending`: the change takes effect when the link mailed to the new address is opened. */
export const EmailChanged = z.object({ ok: z.literal(true), isPending: z.boolean() })
export const EmailConfirmation = z.object({ token: z.string().min(1).max(128) })
export const ConfirmedEmail = z.object({ email: z.string() })
export const ProfileChange = z.object({ displayName: DisplayName })

export const Session = z.object({
  id: Id,
  address: z.string(),
  userAgent: z.string(),
  organization: z.object({ id: Id, name: z.string() }),
  createdAt: Instant,
  lastSeenAt: Instant,
  isCurrent: z.boolean(),
})
export const SessionPage = pageOf(Session, 'SessionPage')

export const TotpSecret = z.object({ secret: z.string(), uri: z.string() })
export const CodeInput = z.object({ code: Code })
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
