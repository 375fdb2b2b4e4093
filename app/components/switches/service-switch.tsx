'use client'

import { Badge } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { mutation } from '../../client/api.ts'
import { notify } from '../../client/notify.ts'
import { problemOf } from '../../client/problem.ts'
import { Switch } from '../inputs/switch.tsx'

/** Switches a service on or off, and shows a refusal. Members without write access see a badge instead. */
export function ServiceSwitch(props: {
  service: { id: string; name: string; isActive: boolean }
  mayWrite: boolean
  label?: ReactNode
}) {
  const { service } = props
  const toggle = useMutation({
    ...mutation('services.toggle'),
    onError: (error) =>
      notify({
        color: 'red',
        title: `${service.name} stays ${service.isActive ? 'on' : 'off'}`,
        message: problemOf(error).message,
        autoClose: 10_000,
      }),
  })
  if (!props.mayWrite) {
    return (
      <Badge variant="light" color={service.isActive ? 'teal' : 'gray'}>
        {service.isActive ? 'On' : 'Off'}
      </Badge>
    )
  }
  return (
    <Switch
      label={props.label}
      aria-label={`${service.name} is switched on`}
      checked={toggle.isPending ? toggle.variables.isActive : service.isActive}
      disabled={toggle.isPending}
      onChange={(event) => toggle.mutate({ id: service.id, isActive: event.currentTarget.checked })}
    />
  )
}
