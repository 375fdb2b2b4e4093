import { dirname } from 'node:path'

// Import cycles, types included: files that import each other can only be read together.

/** An import within the program; paths from the project's root. */
export type Arrow = { from: string; to: string; place: string }

/** Files that import each other through any number of steps, each circle with the imports that close it. */
export function fileCircles(arrows: Arrow[]): string[] {
  const targets = new Map<string, string[]>()
  for (const { from, to } of arrows) targets.set(from, [...(targets.get(from) ?? []), to])
  return components(targets).map((files) => {
    const members = new Set(files)
    const closing = arrows.filter(({ from, to }) => members.has(from) && members.has(to))
    return closing.map(({ place, to }) => `${place} -> ${to}`).join('\n')
  })
}

/**
 * Folders of which each imports from the other, with the imports of the side that has fewer. A folder and one within it
 * are no pair: files of the outer one tie the inner ones together.
 */
export function folderPairs(arrows: Arrow[]): string[] {
  const crossing = new Map<string, Arrow[]>()
  for (const arrow of arrows) {
    for (const from of foldersOf(arrow.from)) {
      for (const to of foldersOf(arrow.to)) {
        if (isWithin(from, to) || isWithin(to, from)) continue
        const key = `${from} -> ${to}`
        crossing.set(key, [...(crossing.get(key) ?? []), arrow])
      }
    }
  }
  return [...crossing].flatMap(([key, there]) => {
    const [from = '', to = ''] = key.split(' -> ')
    const back = crossing.get(`${to} -> ${from}`)
    if (!back || from > to) return []
    const fewer = there.length <= back.length ? there : back
    return [`${from} and ${to}: ${fewer.map(({ place, to: file }) => `${place} -> ${file}`).join(', ')}`]
  })
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`)
}

/** The folder of a file and those around it, the top level included. */
function foldersOf(file: string): string[] {
  const folders: string[] = []
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) folders.push(folder)
  return folders
}

/** The strongly connected components of more than one node, by Tarjan's algorithm. */
function components(targets: Map<string, string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (node: string) => {
    order.set(node, order.size)
    lowest.set(node, order.get(node)!)
    stack.push(node)
    for (const target of targets.get(node) ?? []) {
      if (!order.has(target)) visit(target)
      if (stack.includes(target)) lowest.set(node, Math.min(lowest.get(node)!, lowest.get(target)!))
    }
    if (lowest.get(node) !== order.get(node)) return
    const component = stack.splice(stack.indexOf(node))
    if (component.length > 1) found.push(component)
  }
  for (const node of targets.keys()) if (!order.has(node)) visit(node)
  return found
}
