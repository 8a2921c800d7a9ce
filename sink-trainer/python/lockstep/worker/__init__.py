"""The process that runs Python functions of transforms: python -m lockstep.worker SOCKET.

The job starts it in the folder of the functions' modules and sends it rows over the socket. A
frame is a length of 4 bytes, big-endian, a JSON object of that length, and, where rows belong to
it, an Arrow IPC stream with one record batch.

hello   {"protocol": 1, "python", "pyarrow", "numpy"}, sent by the worker
call    {"function", "parameters", "adds"} and the columns that the function reads; "adds" is the
        Arrow schema of the columns that it declares, in base64
answer  {"fault": null} and the declared columns, or {"fault": {"message", "lines", "row"}}
"""
