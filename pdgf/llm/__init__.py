"""Asking a language model: one endpoint, one way to read its replies, prompts as files.

prompt_files   prompts/*.md -> Prompt, rendered with every outside text fenced as data
calls          Ask and Completion: what goes to a model and what comes back; the ChatModel port
endpoint       ChatModel over any OpenAI-compatible server
replay         ChatModel that answers from a file of replies
replies        text -> the last JSON object in it, mended where that is safe
structured     Ask -> a validated reply: format by what the endpoint supports, one re-ask, typed failure
reply_cache    replies on disk by everything they depend on; equal calls in flight become one
prices         what a call costs, by an offline table
"""
