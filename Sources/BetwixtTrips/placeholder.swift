public import Betwixt
