"""`clinicnum run --engine ray`: workers of a Ray cluster generate, this process alone writes.

`plan.py` plans the run; `cluster.py` is all that is asked of Ray; `worker.py` is what runs in each worker;
`client.py` divides the requests among the workers and takes back what a lost one had not answered.
"""
