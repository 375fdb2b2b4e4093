'use client'

import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { RequestShape } from './request.ts'

const TryOutForm = lazy(async () => ({ default: (await import('./try-out-form.tsx')).TryOutForm }))

/** Opens the form that sends the request. Its code is loaded then. */
export function TryOut({ shape }: { shape: RequestShape }) {
  const [isOpen, setOpen] = useState(false)
  const opener = (
    <div>
      <Button variant="default" loading={isOpen} onClick={() => setOpen(true)}>
        Try it out
      </Button>
    </div>
  )
  if (!isOpen) return opener
  return (
    <Suspense fallback={opener}>
      <TryOutForm shape={shape} />
    </Suspense>
  )
}
