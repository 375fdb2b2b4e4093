import { z } from 'zod'
import { Id, Instant, Name, pageOf } from '../conventions.ts'
import { LEVELS, SECTIONS } from './permissions.ts'

// Signing in, and what a person does with their own account.

/** The sign-in name: trimmed, lower case. */
export const Email = z.string().trim().toLowerCase().pipe(z.email().max(254))

export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 1_024

/** The form of a password that is hashed: what looks alike on two keyboards is the same password. */
export function normalizedPassword(text: string): string {
  return text.normalize('NFC')
}

/** Whether a password has at most so many characters, which are code points and not bytes. Bounds what is hashed. */
function isWithin(max: number, text: string): boolean {
  // Normalizing far more text than that is work for nothing.
  return text.length <= 4 * max && countCharacters(text) <= max
}

function countCharacters(text: string): number {
  return [...normalizedPassword(text)].length
}

/** A password being chosen. */
export const NewPassword = z
  .string()
  .refine((text) => isWithin(PASSWORD_MAX, text), {
    error: `must be at most ${PASSWORD_MAX} characters`,
    abort: true,
  })
  .refine((text) => countCharacters(text) >= PASSWORD_MIN, `must be at least ${PASSWORD_MIN} characters`)

/** A password being checked: whatever was chosen once, within the bound of what is hashed. */
export const GivenPassword = z
  .string()
  .min(1)
  .refine((text) => isWithin(PASSWORD_MAX, text), `must be at most ${PASSWORD_MAX} characters`)

/** Six digits of the authenticator, or a recovery code. */
export const Code = z.string().trim().min(1).max(64)

export const SignInInput = z.object({ email: Email, password: GivenPassword, code: Code.optional() })

export const DisplayName = Name

export const InvitationInput = z.object({ token: z.string().min(1).max(128) })

export const SwitchInput = z.object({ organizationId: Id })

export const AcceptInvitationInput = InvitationInput.extend({
  displayName: DisplayName,
  /** Of the account that has the address, or for a new one. */
  password: GivenPassword,
  /** For an account that exists already and has a second factor. */
  code: Code.optional(),
  /** Takes an account over that somebody made with the address and never showed to be theirs: by a mailed link only. */
  takeOver: z.boolean().optional(),
})

export const Invitation = z.object({
  organization: z.string(),
  email: z.string(),
  /** The link was mailed: it shows that the address is its holder's. */
  isMailed: z.boolean(),
})

export const PasswordResetRequest = z.object({ email: Email })
export const ResetToken = z.object({ token: z.string().min(1).max(128) })
export const PasswordResetInput = ResetToken.extend({ password: NewPassword })
export const PasswordReset = z.object({
  email: z.string(),
  /** The address was never proven: setting a password ends the second factor and the keys of the account as well. */
  takesOver: z.boolean(),
})

/** Queries with the token of a link: posted, it is in no address, and so in no log of what stands before us. */
export const POSTED_QUERIES: readonly string[] = ['auth.invitation', 'auth.passwordReset', 'setup.link']

/** Who is signed in, where, and what they may do there. */
export const Me = z.object({
  user: z.object({
    id: Id,
    email: z.string(),
    displayName: z.string(),
    hasTotp: z.boolean(),
    /** A link that was mailed to the address was opened. */
    isEmailVerified: z.boolean(),
  }),
  organization: z.object({ id: Id, name: z.string(), timezone: z.string() }),
  organizations: z.array(z.object({ id: Id, name: z.string() })),
  isOwner: z.boolean(),
  sections: z.record(z.enum(SECTIONS), z.enum(LEVELS)),
  /** The installation sends mail. */
  sendsMail: z.boolean(),
  /** The organization or a group demands a second factor first; until then only the account's own pages answer. */
  totpEnrollmentRequired: z.boolean(),
})
export type Me = z.output<typeof Me>

/** The token of the link that the start prints while there is no account. */
export const SetupToken = z.object({ token: z.string().min(1).max(128) })

export const SetupInput = SetupToken.extend({
  email: Email,
  password: NewPassword,
  displayName: DisplayName.optional(),
  organization: Name,
})

/** Password again, and the code where a second factor is enrolled: before what a stolen session must not do. */
export const Reauthentication = z.object({ password: GivenPassword, code: Code.optional() })

/** For an account that has no second factor yet. */
export const PasswordAgain = Reauthentication.omit({ code: true })

export const PasswordChange = Reauthentication.extend({ newPassword: NewPassword })
export const EmailChange = Reauthentication.extend({ email: Email })
/** `isPending`: a link was mailed to the new address, and opening it makes the change. */
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
