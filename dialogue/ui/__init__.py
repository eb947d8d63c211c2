"""The page. Gradio reads this switch when it is imported: without it every start calls home (STACK 2.3)."""

import os

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
