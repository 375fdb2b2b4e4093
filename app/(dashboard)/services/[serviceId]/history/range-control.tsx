'use client'

import { SegmentedControl } from '@mantine/core'
import { RANGE_NAMES, RANGES, type Range } from '#server/schemas/results/ranges.ts'
import { useUrlState } from '../../../../client/addresses/url-state.ts'
import { rangeIn } from './selection.ts'

/** Switches the range of the charts, which stands in the URL. Another one is shown as a whole. */
export function RangeControl() {
  const [params, change] = useUrlState()
  return (
    <SegmentedControl
      size="xs"
      aria-label="Range"
      data={RANGE_NAMES.map((value) => ({ value, label: RANGES[value].label }))}
      value={rangeIn(params)}
      onChange={(value) => change({ range: value as Range, zoom: null })}
      style={{ alignSelf: 'flex-start' }}
    />
  )
}
