import { Box, type BoxProps, getSpacing, type MantineSpacing } from '@mantine/core'
import type { ComponentPropsWithoutRef } from 'react'
import styles from './table.module.css'

// Tables in plain HTML. Mantine's own brings the code of its scroll areas and floating elements to every list.

type PartProps<Tag extends 'tr' | 'td' | 'th' | 'thead' | 'tbody'> = BoxProps &
  Omit<ComponentPropsWithoutRef<Tag>, keyof BoxProps>

export type TableProps = BoxProps &
  Omit<ComponentPropsWithoutRef<'table'>, keyof BoxProps> & {
    verticalSpacing?: MantineSpacing
    horizontalSpacing?: MantineSpacing
    highlightOnHover?: boolean
    withTableBorder?: boolean
    layout?: 'auto' | 'fixed'
  }

export type TableThProps = PartProps<'th'>

function Root(props: TableProps) {
  const { verticalSpacing, horizontalSpacing, highlightOnHover, withTableBorder, layout, ...table } = props
  return (
    <Box
      component="table"
      className={styles.table}
      data-hover={highlightOnHover || undefined}
      data-bordered={withTableBorder || undefined}
      data-fixed={layout === 'fixed' || undefined}
      __vars={{ '--cell-y': getSpacing(verticalSpacing), '--cell-x': getSpacing(horizontalSpacing) }}
      {...table}
    />
  )
}

/** A table and its parts, with Mantine's style properties. */
export const Table = Object.assign(Root, {
  Thead: (props: PartProps<'thead'>) => <Box component="thead" className={styles.head} {...props} />,
  Tbody: (props: PartProps<'tbody'>) => <Box component="tbody" className={styles.body} {...props} />,
  Tr: (props: PartProps<'tr'>) => <Box component="tr" className={styles.row} {...props} />,
  Th: (props: PartProps<'th'>) => <Box component="th" className={styles.cell} {...props} />,
  Td: (props: PartProps<'td'>) => <Box component="td" className={styles.cell} {...props} />,
})
