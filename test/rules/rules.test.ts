// All rules are one test file: the sources of the program are read and parsed once for all of them.
import './counted-results.ts'
import './design.ts'
import './files.ts'
import './imports.ts'
import './operations.ts'
import './packages.ts'
import './security.ts'
