'use client'

import { Anchor, Button, Group, List, Popover, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Hearing } from '#server/schemas/alerts/follows.ts'
import type { ResourceType } from '#server/schemas/scopes.ts'
import { mutation } from '../../client/api.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { useResourceAccess } from '../../client/use-resource-access.ts'
import { useDateTimeText } from '../instant.tsx'
import { Link } from '../layout/link.tsx'
import { ProblemAlert } from '../problem-alert.tsx'
import { throughAllText, throughText, webhooksText } from './hearing-text.ts'

const HOUR_MS = 3_600_000
const MUTES = [
  { label: '1 hour', ms: HOUR_MS },
  { label: '8 hours', ms: 8 * HOUR_MS },
  { label: '1 week', ms: 168 * HOUR_MS },
  { label: 'Until I unmute', ms: null },
]

export type Resource = { resourceType: ResourceType; resourceId: string }

/** The popover of `Bell`, opened once it is loaded: the click that loaded it asked for it. */
export function BellPopover(props: {
  resource: Resource
  hearing: Hearing
  /** Asks how to mute the resource for everybody. */
  onMuteAll: () => void
  /** Renders the button. It takes the focus, which returns to it when the popover closes. */
  children: (target: { autoFocus: true; onClick: () => void }) => ReactNode
}) {
  const [opened, setOpened] = useState(false)
  // Only a popover that opens after its first render remembers where the focus was.
  useEffect(() => setOpened(true), [])
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      width={340}
      position="bottom-end"
      withArrow
      trapFocus
      returnFocus
      shadow="md"
      withinPortal
    >
      <Popover.Target>{props.children({ autoFocus: true, onClick: () => setOpened(!opened) })}</Popover.Target>
      <Popover.Dropdown aria-label="Alerts">
        <Details resource={props.resource} hearing={props.hearing} />
        <MuteAll
          resource={props.resource}
          onClick={() => {
            setOpened(false)
            props.onMuteAll()
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function Details({ resource, hearing }: { resource: Resource; hearing: Hearing }) {
  const { resourceType } = resource
  const { heardThrough, heardWithin, isFollowing, mayFollow } = hearing
  const box = useRef<HTMLDivElement>(null)
  // The button that was pressed may disappear. Without focus inside, Escape would not close the popover.
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus()
  })
  const follow = useMutation(mutation('follows.create'))
  const unfollow = useMutation(mutation('follows.remove'))
  return (
    <Stack gap="sm" ref={box} tabIndex={-1} style={{ outline: 'none' }}>
      <Reasons resourceType={resourceType} hearing={hearing} />
      {(heardThrough.length > 0 || heardWithin > 0) && <MailState />}
      <Webhooks resource={resource} hearing={hearing} />
      {heardWithin > 0 && (
        <Text size="sm">
          {heardWithin === 1 ? 'One resource' : `${heardWithin} resources`} within this {resourceType}{' '}
          {heardWithin === 1 ? 'has its own grant, or you follow it' : 'have their own grants, or you follow them'}.
        </Text>
      )}
      {!mayFollow && (
        <Text size="sm" c="dimmed">
          You can see only the name of this {resourceType}, so you cannot follow it.
        </Text>
      )}
      <ProblemAlert error={follow.error ?? unfollow.error} />
      {isFollowing ? (
        <Button size="xs" variant="default" loading={unfollow.isPending} onClick={() => unfollow.mutate(resource)}>
          Stop following
        </Button>
      ) : (
        mayFollow && (
          <Button size="xs" variant="default" loading={follow.isPending} onClick={() => follow.mutate(resource)}>
            Follow this {resourceType}
          </Button>
        )
      )}
      {(heardThrough.length > 0 || heardWithin > 0 || hearing.mute) && <Muting resource={resource} hearing={hearing} />}
    </Stack>
  )
}

/** Members who may change a resource mute it for everybody: a maintenance. */
function MuteAll({ resource, onClick }: { resource: Resource; onClick: () => void }) {
  const { mayWrite } = useResourceAccess(resource.resourceType, resource.resourceId)
  if (!mayWrite) return null
  return (
    <Button size="xs" variant="default" fullWidth mt="sm" onClick={onClick}>
      Mute for everybody
    </Button>
  )
}

/** Says whether the member is notified of the resource as a whole, and why. */
function Reasons({ resourceType, hearing: { heardThrough } }: { resourceType: ResourceType; hearing: Hearing }) {
  if (heardThrough.length === 0) {
    return (
      <Text size="sm" fw={600}>
        You are not notified about this {resourceType}: you have no grant on it that notifies, and do not follow it.
      </Text>
    )
  }
  if (heardThrough.length === 1) {
    return (
      <Text size="sm" fw={600}>
        You are notified about this {resourceType} {throughAllText(heardThrough)}.
      </Text>
    )
  }
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        You are notified about this {resourceType} through:
      </Text>
      <List size="sm">
        {heardThrough.map((through) => (
          <List.Item key={throughText(through)}>{throughText(through)}</List.Item>
        ))}
      </List>
    </Stack>
  )
}

/** Says where the mails go, or what is missing. */
function MailState() {
  const me = useMe()
  if (me.sendsMail) return <Text size="sm">Mails go to {me.user.email}.</Text>
  return (
    <Text size="sm">
      Mail is not configured, so you get no mails.{' '}
      {me.isOperator ? (
        <>
          Set <code>SMTP_URL</code>, as the{' '}
          <Anchor component={Link} href="/docs/operate/mail#set-up-mail" inherit underline="always">
            settings
          </Anchor>{' '}
          say.
        </>
      ) : (
        <>
          Ask who operates this installation to set <code>SMTP_URL</code>.
        </>
      )}
    </Text>
  )
}

function Webhooks({ resource, hearing }: { resource: Resource; hearing: Hearing }) {
  const { webhooks, webhooksTotal } = hearing
  const { resourceType, resourceId } = resource
  const mayBind = hasPermission(useMe(), 'webhooks', 'write')
  if (webhooks && webhooks.length > 0)
    return (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {webhooks.length === 1 ? 'A webhook is' : 'Webhooks are'} notified: {webhooksText(webhooks)}.
      </Text>
    )
  if (webhooksTotal > 0)
    return <Text size="sm">{webhooksTotal === 1 ? '1 webhook is' : `${webhooksTotal} webhooks are`} notified.</Text>
  return (
    <Text size="sm">
      No webhook is notified.{' '}
      {mayBind && (
        <Anchor component={Link} href={`/${resourceType}s/${resourceId}/webhooks`} inherit underline="always">
          Bind one
        </Anchor>
      )}
    </Text>
  )
}

function Muting({ resource, hearing }: { resource: Resource; hearing: Hearing }) {
  const { silenced, mute } = hearing
  const create = useMutation(mutation('silences.create'))
  const remove = useMutation(mutation('silences.remove'))
  return (
    <>
      <ProblemAlert error={create.error ?? remove.error} />
      {silenced && <Silenced silenced={silenced} isMute={silenced.silence.id === mute?.silenceId} />}
      {mute ? (
        <Button
          size="xs"
          variant="default"
          loading={remove.isPending}
          onClick={() => remove.mutate({ id: mute.silenceId })}
        >
          Unmute
        </Button>
      ) : (
        <MuteButtons
          resourceType={resource.resourceType}
          isPending={create.isPending}
          onMute={(until) =>
            create.mutate({
              channel: 'all',
              [`${resource.resourceType}Id`]: resource.resourceId,
              config: until === null ? null : JSON.stringify({ until }),
            })
          }
        />
      )}
    </>
  )
}

function Silenced({ silenced, isMute }: { silenced: NonNullable<Hearing['silenced']>; isMute: boolean }) {
  const dateTimeText = useDateTimeText()
  const until = silenced.until ? `until ${dateTimeText(silenced.until)}` : 'indefinitely'
  const subject = isMute
    ? 'Muted by you'
    : silenced.reason === 'quiet hours'
      ? 'Quiet hours apply'
      : 'A silence applies'
  return (
    <Text size="sm">
      {subject} {until}: you receive no mails.{' '}
      {!isMute && (
        <Anchor component={Link} href="/silences" inherit underline="always">
          Your silences
        </Anchor>
      )}
    </Text>
  )
}

function MuteButtons(props: {
  resourceType: ResourceType
  isPending: boolean
  onMute: (until: string | null) => void
}) {
  const { resourceType, isPending, onMute } = props
  const label = useId()
  return (
    <Stack gap={6}>
      <Text size="sm" id={label}>
        Mute this {resourceType} for yourself
      </Text>
      <Group gap={6} role="group" aria-labelledby={label}>
        {MUTES.map(({ label, ms }) => (
          <Button
            key={label}
            size="compact-sm"
            variant="default"
            disabled={isPending}
            onClick={() => onMute(ms === null ? null : new Date(Date.now() + ms).toISOString())}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Stack>
  )
}
