'use client'

import type { Span } from '#server/schemas/results/ranges.ts'
import { useUrlState } from '../../../../client/addresses/url-state.ts'
import { zoomIn } from './selection.ts'

type Bucket = { start: string; end: string }

/** The part of the range that all charts of the page show, which stands in the URL, and how a chart changes it. */
export function useZoom(): {
  zoom: Span | null
  zoomTo: (buckets: Bucket[]) => (first: number, last: number) => void
  reset: (() => void) | undefined
} {
  const [params, change] = useUrlState()
  const zoom = zoomIn(params)
  return {
    zoom,
    zoomTo: (buckets) => (first, last) => {
      const [since, until] = [buckets[first]?.start, buckets[last]?.end]
      if (since && until) change({ zoom: `${since}/${until}` })
    },
    reset: zoom ? () => change({ zoom: null }) : undefined,
  }
}
