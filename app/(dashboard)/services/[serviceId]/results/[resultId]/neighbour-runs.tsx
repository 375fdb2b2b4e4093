'use client'

import { Button, Group, Kbd } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type ReactNode, useMemo } from 'react'
import { useUrlState } from '../../../../../client/addresses/url-state.ts'
import { query } from '../../../../../client/api.ts'
import { type Command, useCommands } from '../../../../../client/commands/commands.ts'
import { useZone } from '../../../../../client/zone.tsx'
import { ChevronLeft, ChevronRight } from '../../../../../components/icons.ts'
import { Link } from '../../../../../components/layout/link.tsx'
import { filterQuery, filtersIn } from '../../history/selection.ts'

/** Leads to the run before and after this one, among those that the filters of the URL select: also by `j` and `k`. */
export function NeighbourRuns({ serviceId, resultId }: { serviceId: string; resultId: string }) {
  const [params] = useUrlState()
  const { zone } = useZone()
  const router = useRouter()
  const { data } = useQuery(query('results.neighbours', { id: serviceId, resultId, ...filtersIn(params, zone) }))
  const search = filterQuery(params)
  const hrefOf = (id: string | null | undefined) => (id ? `/services/${serviceId}/results/${id}${search}` : null)
  const [newer, older] = [hrefOf(data?.newer), hrefOf(data?.older)]
  const commands = useMemo(
    () => [...commandOf('Previous run', 'j', older, router.push), ...commandOf('Next run', 'k', newer, router.push)],
    [older, newer, router],
  )
  useCommands(commands)
  return (
    <Group gap="xs" component="nav" aria-label="Runs">
      <Step href={older} label="Previous run" icon={<ChevronLeft size={14} aria-hidden />} shortcut="j" />
      <Step href={newer} label="Next run" icon={<ChevronRight size={14} aria-hidden />} shortcut="k" />
    </Group>
  )
}

function Step(props: { href: string | null; label: string; icon: ReactNode; shortcut: string }) {
  const content = {
    size: 'xs',
    variant: 'default',
    leftSection: props.icon,
    rightSection: <Kbd size="xs">{props.shortcut}</Kbd>,
  }
  if (!props.href) {
    return (
      <Button {...content} disabled>
        {props.label}
      </Button>
    )
  }
  return (
    <Button {...content} component={Link} href={props.href}>
      {props.label}
    </Button>
  )
}

function commandOf(label: string, keys: string, href: string | null, open: (href: string) => void): Command[] {
  return href ? [{ id: `run ${keys}`, label, group: 'This page', keys, run: () => open(href) }] : []
}
