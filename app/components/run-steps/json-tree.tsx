'use client'

import { type ReactNode, useState } from 'react'
import styles from './json-tree.module.css'

/** Members of one object or array that are shown at a time. */
const PAGE = 100
/** A string is cut at this length until it is unfolded. */
const STRING_MAX = 300
/** Objects and arrays up to this depth, with up to this many members, are open at first. */
const OPEN_DEPTH = 3
const OPEN_MEMBERS = 20

/** What a value of the tree can be taken for. `path` are the names of the fields that lead to it. */
export type TakeValue = (path: string[]) => void

/** A script names the fields of objects, and no items of arrays. Null for what it cannot name. */
type Path = string[] | null
const NAME = /^[A-Za-z_]\w*$/

/** JSON as a tree that folds. Folded parts are not rendered, and long ones are rendered page by page. */
export function JsonTree({ value, label, onTake }: { value: unknown; label: string; onTake?: TakeValue | undefined }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
    <section className={styles.tree} aria-label={label} tabIndex={0}>
      <Node value={value} depth={0} path={onTake ? [] : null} onTake={onTake} />
    </section>
  )
}

type NodeProps = { name?: string; value: unknown; depth: number; path: Path; onTake: TakeValue | undefined }

function Node({ name, value, depth, path, onTake }: NodeProps) {
  if (typeof value === 'object' && value !== null) {
    return <Branch name={name} value={value} depth={depth} path={path} onTake={onTake} />
  }
  return (
    <div className={styles.line}>
      <Name name={name} />
      {typeof value === 'string' ? <Text value={value} /> : <span className={styles.literal}>{String(value)}</span>}
      {onTake && path && path.length > 0 && (
        <button
          type="button"
          className={styles.take}
          aria-label={`Use in later steps: ${path.join('.')}`}
          onClick={() => onTake(path)}
        >
          Use in later steps
        </button>
      )}
    </div>
  )
}

function Branch({
  name,
  value,
  depth,
  path,
  onTake,
}: Omit<NodeProps, 'value' | 'name'> & { name: string | undefined; value: object }) {
  const isArray = Array.isArray(value)
  const count = isArray ? value.length : Object.keys(value).length
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH && (depth === 0 || count <= OPEN_MEMBERS))
  const [shown, setShown] = useState(PAGE)
  const [opening, closing] = isArray ? ['[', ']'] : ['{', '}']
  if (count === 0) {
    return (
      <div className={styles.line}>
        <Name name={name} />
        {opening}
        {closing}
      </div>
    )
  }
  const unit = isArray ? 'item' : 'key'
  const members = isOpen ? (isArray ? value.slice(0, shown).map(numbered) : Object.entries(value).slice(0, shown)) : []
  return (
    <div>
      <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span aria-hidden="true">{isOpen ? '▾' : '▸'} </span>
        <Name name={name} />
        {opening}
        {!isOpen && ` … ${closing} `}
        <span className={styles.count}>
          {' '}
          {count} {count === 1 ? unit : `${unit}s`}
        </span>
      </button>
      {isOpen && (
        <div className={styles.members}>
          {members.map(([key, member]) => (
            <Node
              key={key}
              name={key}
              value={member}
              depth={depth + 1}
              path={path && !isArray && NAME.test(key) ? [...path, key] : null}
              onTake={onTake}
            />
          ))}
          {count > shown && (
            <button type="button" className={styles.toggle} onClick={() => setShown(shown + PAGE)}>
              Show {Math.min(PAGE, count - shown)} more of {count}
            </button>
          )}
        </div>
      )}
      {isOpen && closing}
    </div>
  )
}

function numbered(member: unknown, index: number): [string, unknown] {
  return [String(index), member]
}

function Name({ name }: { name: string | undefined }): ReactNode {
  return name === undefined ? null : (
    <>
      <span className={styles.name}>{name}</span>:{' '}
    </>
  )
}

function Text({ value }: { value: string }) {
  const [isWhole, setWhole] = useState(value.length <= STRING_MAX)
  return (
    <>
      <span className={styles.string}>{JSON.stringify(isWhole ? value : value.slice(0, STRING_MAX))}</span>
      {!isWhole && (
        <button type="button" className={styles.toggle} onClick={() => setWhole(true)}>
          Show all {value.length.toLocaleString('en')} characters
        </button>
      )}
    </>
  )
}
