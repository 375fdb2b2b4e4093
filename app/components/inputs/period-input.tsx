'use client'

import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useUrlState } from '../../client/addresses/url-state.ts'
import { zoneName } from '../../client/zone-choice.ts'
import { clockText, instantAt } from '../zone-clock.ts'

/** A bound of a period in the URL, on the clocks of the zone. Without a complete time there is no bound. */
export function PeriodInput(props: {
  label: string
  name: 'since' | 'until'
  value: string | undefined
  zone: string
}) {
  const { name, value, zone } = props
  const [, change] = useUrlState()
  const [text, setText] = useState(value === undefined ? '' : clockText(value, zone))
  const apply = () => {
    if (text === (value === undefined ? '' : clockText(value, zone))) return
    const at = instantAt(text, zone)
    // The list includes the end of the period: the minute that is written, to its last millisecond.
    const end = name === 'until' ? 59_999 : 0
    change({ page: null, [name]: at === null ? null : new Date(at + end).toISOString() })
  }
  return (
    <TextInput
      size="xs"
      type="datetime-local"
      label={`${props.label} (${zoneName(zone)})`}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  )
}
