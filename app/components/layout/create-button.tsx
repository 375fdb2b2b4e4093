import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Plus } from '../icons.ts'
import { Link } from './link.tsx'

/** The main action of a page that lists things: opens the dialog that creates another. */
export function CreateButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={onClick}>
      {children}
    </Button>
  )
}

/** The same for what is created on a page of its own. */
export function CreateLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Button component={Link} href={href} leftSection={<Plus size={16} aria-hidden />}>
      {children}
    </Button>
  )
}

/** The same for a section of a page. */
export function SectionCreateButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button size="xs" variant="default" leftSection={<Plus size={14} aria-hidden />} onClick={onClick}>
      {children}
    </Button>
  )
}
