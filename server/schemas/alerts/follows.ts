import { z } from 'zod'
import { Id, Instant, pageOf } from '../conventions.ts'
import { ResourceRef } from '../scopes.ts'
import { HeardThrough } from './messages.ts'
import { Silence } from './silences.ts'

/** The most resources that a member can follow in an organization. */
export const FOLLOWS_MAX = 1_000

/** A resource that the calling member follows. */
export const Follow = ResourceRef.extend({
  /** Null for a resource that the member cannot see any more; the follow counts again once they can. */
  name: z.string().nullable(),
  createdAt: Instant,
})
export type Follow = z.output<typeof Follow>
export const FollowPage = pageOf(Follow, 'FollowPage')

/** Whether and why the calling member is notified of a resource, for the bell on its page. */
export const Hearing = z.object({
  name: z.string(),
  /** Empty for a member who is not notified of it as a whole. */
  heardThrough: z.array(HeardThrough),
  /** On how many projects and services within it the member has a grant or follows it, besides those above. */
  heardWithin: z.int(),
  isFollowing: z.boolean(),
  /** A container that is only visible by name cannot be followed. */
  mayFollow: z.boolean(),
  /** The webhooks that get its events, by name, with their services, such as `Slack`, null for a generic one; null without read on Webhooks. */
  webhooks: z.array(z.object({ name: z.string(), receiver: z.string().nullable() })).nullable(),
  webhooksTotal: z.int(),
  /** The silence that keeps mails about failures back now, and until when; null for no end. */
  silenced: z.object({ reason: z.string(), until: Instant.nullable(), silence: Silence }).nullable(),
  /** The member's silence of exactly this resource and every event, which the bell can end. */
  mute: z.object({ silenceId: Id, until: Instant.nullable() }).nullable(),
})
export type Hearing = z.output<typeof Hearing>
