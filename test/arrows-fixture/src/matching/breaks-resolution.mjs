// breaks: resolvable
import './nowhere.mjs'
