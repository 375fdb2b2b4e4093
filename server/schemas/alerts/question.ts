import { z } from 'zod'

/** Whether the organization is to be asked where alerts go. */
export const AlertQuestion = z.object({ isAsked: z.boolean() })

/** `later` is not asked again. A receiver is chosen by creating a webhook with bindings. */
export const AlertAnswer = z.object({ to: z.enum(['mail', 'later']) })
