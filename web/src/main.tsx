import './kit/base.css'
